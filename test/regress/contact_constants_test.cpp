#include "scenes/animals.hpp"
#include "scenes/bodies.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

// Constants that are found from size and speed.

namespace snug {
namespace {

double deepest(const Contacts& found) {
  double most = 0;
  for (const Contact& contact : found.contacts) most = std::max(most, contact.depth);
  return most;
}

/// Sides of few large triangles say nothing about how far a body may move unseen. Rays from the corners of a cube upon its like run
/// outwards beside it and predict nothing.
TEST(ContactConstants, ATrackerSeesACubeTiltIntoAnother) {
  const Shape cube(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  for (unsigned seed = 0; seed < test::scaled(20); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    scenes::Random random(seed);
    const Pose yaw = rotation({0, 0, 1}, random.uniform(0, 6)), below = compose(translation(0, 0, -0.5), yaw);
    const double tilt = random.uniform(2e-3, 9e-3), sunk = random.uniform(1e-4, 1e-3);
    ContactTracker tracker;
    Scratch scratch;
    for (int step = -1; step < 8; ++step) {
      // About a corner that is a little inside: the others begin outside and go in.
      const Pose turn = compose(compose(translation(0.5, 0.5, -0.5), rotation({1, -1, 0}, tilt * step)),
                                translation(-0.5, -0.5, 0.5));
      const Pose above = compose(yaw, compose(translation(0, 0, 0.5 - sunk), turn));
      const double told = deepest(contacts(cube, above, cube, below, tracker));
      const double is = deepest(contacts(cube, above, cube, below, scratch).value());
      // What passes unseen at most: half a percent of its size, or a step and a half of its corners.
      EXPECT_GE(told, is - std::max(0.005, 1.5 * std::sqrt(2) * tilt)) << step;
    }
  }
}

/// One that came fast and rests is not left to rays of a threshold that was made for speed.
TEST(ContactConstants, RaysAreCastAnewForABodyThatHasLandedAndCreeps) {
  const Shape cube(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5})), ground(scenes::box({-5, -5, -1}, {5, 5, 0}));
  ContactTracker tracker;
  for (const double z : {0.75, 0.65, 0.55, 0.499, 0.499})
    (void)contacts(cube, translation(0, 0, z), ground, {}, tracker);
  const std::uint64_t landed = tracker.stats().standard_steps;
  for (int step = 1; step <= 8; ++step) (void)contacts(cube, translation(1e-3 * step, 0, 0.499), ground, {}, tracker);
  EXPECT_EQ(tracker.stats().standard_steps, landed + 1);
  for (int step = 0; step < 10; ++step) (void)contacts(cube, translation(0.008, 0, 0.499), ground, {}, tracker);
  EXPECT_EQ(tracker.stats().standard_steps, landed + 1) << "one that rests needs none";
}

/// The same in every unit of length, and never more than what is cheap to predict.
TEST(ContactConstants, ThresholdsGoWithTheSizeOfThings) {
  const Mesh bunny = scenes::falling_body(scenes::bunny(453), 0.5);
  const Shape ground(scenes::box({-5, -5, -1}, {5, 5, 0})), body(bunny);
  const double scale = 1024;
  const auto scaled = [&](const Mesh& mesh) {
    MeshInput input;
    for (const Point3& p : mesh.vertices()) input.vertices.push_back(scale * p);
    input.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
    return Shape(Mesh::build(std::move(input)).value());
  };
  const Shape large_ground = scaled(ground.mesh()), large_body = scaled(bunny);
  ContactTracker tracker, large;
  scenes::Random random(5);
  double z = -0.02 - bunny.bounds().lo.z;
  for (int step = 0; step < 40; ++step) {
    z -= random.uniform(-1, 1) * (step % 2 == 0 ? 1e-4 : 2e-3);
    (void)contacts(body, translation(0, 0, z), ground, {}, tracker);
    (void)contacts(large_body, translation(0, 0, scale * z), large_ground, {}, large);
    const double threshold = tracker.constants().displacement_threshold;
    EXPECT_NEAR(large.constants().displacement_threshold, scale * threshold, 1e-9 * scale);
    EXPECT_LT(threshold, 0.02);
    EXPECT_GT(threshold, 0);
    EXPECT_GT(tracker.constants().distance_extension, threshold);
  }
  EXPECT_EQ(tracker.stats().standard_steps, large.stats().standard_steps);
}

}  // namespace
}  // namespace snug
