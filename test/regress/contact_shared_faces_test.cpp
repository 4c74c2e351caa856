#include "scenes/rubbing.hpp"
#include "scenes/solids.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>

// A face that both walls of a concave crease end in.

namespace snug {
namespace {

TEST(ContactSharedFaces, AreAsDeepWhereACreaseEndsInThemAsElsewhere) {
  // A probe slides on the end of an angle, over the corner where its crease ends. Walls and face all lead the same way, and the depth is that
  // of the face from the first to the last step; so is the force, but for the area that the crease takes away.
  const auto bodies = scenes::rubbing_bodies();
  const Shape& angle = std::ranges::find(bodies, "angle", &scenes::RubbingBody::name)->shape;
  Scratch scratch;
  for (const bool is_ball : {false, true}) {
    const Shape probe(is_ball ? scenes::sphere(0.2, 17, 24) : scenes::box({-0.1, -0.1, -0.2}, {0.1, 0.1, 0.2}));
    for (int i = 0; i <= 100; ++i) {
      SCOPED_TRACE(testing::Message() << (is_ball ? "ball" : "box") << ", step " << i);
      const Point3 at{-0.3 + 0.0017 * i, -0.15 + 0.0014 * i, 0.25 + 0.2 - 0.02};
      const auto found = contacts(probe, compose(translation(at.x, at.y, at.z), rotation({0, 0, 1}, 0.3)), angle, {},
                                  scratch, {.normal = RayContactOptions::Normal::smooth})
                             .value();
      double force = 0, area = 0;
      for (const ContactArea& region : found.patches)
        force += region.depth * region.area * region.normal.z, area += region.area;
      ASSERT_GT(area, 0);
      EXPECT_NEAR(force / area, 0.02, 0.002);
    }
  }
}

}  // namespace
}  // namespace snug
