// Contacts of bodies that sit in one another: walls all around, or a face whose rim has creases.

#include "scenes/machine_parts.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace snug {
namespace {

constexpr RayContactOptions k_smooth{.normal = RayContactOptions::Normal::smooth};

TEST(OpposedWalls, OfConesInEachOtherAreAsDeepAsTheyOverlap) {
  // Walls of 3 mm with a slope of a tenth: they touch 30 mm above each other.
  const Shape cup(scenes::cup(0.03, 0.04, 0.1, 0.003, 48));
  scenes::Random random(1);
  Scratch scratch;
  int around = 0;
  for (int i = 0; i < 400; ++i) {
    const double z = random.uniform(0.0296, 0.0301), tilt = std::pow(10.0, random.uniform(-9, -3));
    const Pose pose = compose(translation(tilt * random.uniform(-0.1, 0.1), tilt * random.uniform(-0.1, 0.1), z),
                              rotation(random.point(-1, 1), tilt));
    const Contacts found = contacts(cup, {}, cup, pose, scratch, k_smooth).value();
    // What sinking leaves between the walls, and what the tilt adds at 0.1 m.
    const double most = 0.1 * std::max(0.0, 0.03 - z) + 0.25 * tilt;
    Vec3 sum;
    for (const ContactArea& patch : found.patches) {
      EXPECT_LE(patch.depth, 3 * most + 1e-9) << "pose " << i;
      EXPECT_LT(std::abs(patch.normal.z), 0.5) << "pose " << i;
      sum = sum + patch.normal;
    }
    // With walls all around the sideways pushes are opposed to each other.
    if (found.patches.size() >= 8) {
      ++around;
      EXPECT_LT(std::hypot(sum.x, sum.y), 0.4 * static_cast<double>(found.patches.size()));
    }
  }
  EXPECT_GE(around, 100);
}

TEST(OpposedWalls, OfAPinThroughAPlateAreNone) {
  // Nothing of the plate stands against the pin's side: the shortest translation is along its axis.
  const Shape plate(scenes::box({-1, -1, -0.05}, {1, 1, 0.05})), pin(scenes::cylinder(0.1, 0.4, 24));
  Scratch scratch;
  const Contacts found = contacts(plate, {}, pin, translation(0, 0, -0.1), scratch, k_smooth).value();
  ASSERT_EQ(found.patches.size(), 1U);
  EXPECT_NEAR(std::abs(found.patches[0].normal.z), 1, 1e-9);
  EXPECT_NEAR(found.patches[0].depth, 0.15, 1e-9);
}

TEST(CreasedRims, LeaveAFaceWithOneManifold) {
  // A gear that lies on its end, upright to the last bit or not: its rim has 32 concave creases.
  const Shape floor(scenes::box({-0.6, -0.6, -0.1}, {0.6, 0.6, 0})),
      gear(scenes::spur_gear(0.042, 0.05, 0.01, 0.02, 16));
  Scratch scratch;
  for (const double depth : {1e-9, 1e-7, 1e-5, 1e-3})
    for (const double tilt : {0.0, 1e-9, 1e-7}) {
      SCOPED_TRACE(testing::Message() << depth << " deep, tilted by " << tilt);
      const Pose pose =
          compose(translation(0.01, 0.02, -depth), rotation({1, 0.3, 0}, tilt * std::min(1.0, depth / 1e-7)));
      for (const auto normal : {RayContactOptions::Normal::smooth, RayContactOptions::Normal::minimum}) {
        const Contacts found = contacts(floor, {}, gear, pose, scratch, {.normal = normal}).value();
        ASSERT_EQ(found.patches.size(), 1U);
        EXPECT_NEAR(found.patches[0].depth, depth, 0.06 * tilt + 1e-12);
        EXPECT_NEAR(found.patches[0].normal.z, -1, 1e-9);
        EXPECT_GE(found.contacts.size(), 4U);
      }
    }
}

}  // namespace
}  // namespace snug
