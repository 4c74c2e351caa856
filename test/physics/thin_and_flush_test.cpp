// Simulations of what is hard on contacts: bodies that sink in by more than their thickness in a step, and seams between flush
// ones.

#include "physics/headless/world.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace snug::headless {
namespace {

std::vector<Pose> poses_of(const World& world) {
  std::vector<Pose> poses;
  world.poses(poses);
  return poses;
}

TEST(ThinBodies, StayOnAFloorThatIsThickEnough) {
  // A card of two millimetres falls by up to 7 cm in a step, and then lies wholly inside of the floor.
  for (const double height : {0.05, 0.2, 0.5, 0.8, 1.0}) {
    SCOPED_TRACE(height);
    WorldScene scene{.name = "card", .assembly = Assembly(LengthUnit::metre), .bodies = {}};
    (void)scene.assembly.add({"floor", scenes::box({-5, -5, -1}, {5, 5, 0}), {}}).value();
    const Mesh card = scenes::box({-0.5, -0.5, -0.001}, {0.5, 0.5, 0.001});
    (void)scene.assembly.add({"card", card, translation(0, 0, height)}).value();
    scene.bodies = {{.fixed = true, .velocity = {}, .spin = {}, .at = {}}, {.velocity = {}, .spin = {}, .at = {}}};
    World world(scene, {});
    for (int i = 0; i < 120; ++i) world.step();
    EXPECT_LT(world.fastest(), 0.01);
    const Pose at_rest = poses_of(world)[1];
    for (const Point3& p : card.vertices()) EXPECT_NEAR(at_rest.apply(p).z, 0.001, 0.002);
  }
}

TEST(ThinBodies, ThatFallAslantComeToRestOnTheFloor) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    WorldScene scene{.name = "card", .assembly = Assembly(LengthUnit::metre), .bodies = {}};
    (void)scene.assembly.add({"floor", scenes::box({-5, -5, -1}, {5, 5, 0}), {}}).value();
    const Mesh card = scenes::box({-0.5, -0.5, -0.001}, {0.5, 0.5, 0.001});
    const Quaternion turned{1, random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0};
    const Pose pose = Pose::make(turned, {0, 0, random.uniform(0.4, 1.3)}).value();
    (void)scene.assembly.add({"card", card, pose}).value();
    scene.bodies = {{.fixed = true, .velocity = {}, .spin = {}, .at = {}},
                    {.velocity = {}, .spin = random.point(-1, 1), .at = {}}};
    World world(scene, {});
    for (int i = 0; i < 240; ++i) world.step();
    const Pose at_rest = poses_of(world)[1];
    for (const Point3& p : card.vertices()) EXPECT_NEAR(at_rest.apply(p).z, 0.001, 0.003);
  }
}

}  // namespace
}  // namespace snug::headless
