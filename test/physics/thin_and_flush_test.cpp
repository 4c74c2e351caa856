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

TEST(FlushBodies, LetACubeSlideOverTheirSeams) {
  // Without friction it keeps its speed, whichever face or edge goes first, also where that is on a seam at the end of a step.
  for (const double rate : {60.0, 240.0})
    for (const double speed : {1.0, 2.0, 2.3, 3.0, 4.0})
      for (const double turned : {0.0, 0.2}) {
        SCOPED_TRACE(testing::Message() << rate << " Hz, " << speed << " m/s, turned " << turned);
        WorldScene scene{.name = "tiles", .assembly = Assembly(LengthUnit::metre), .bodies = {}};
        scene.rate_hz = rate;
        const Mesh tile = scenes::box({-0.65, -2, -1}, {0.65, 2, 0}),
                   cube = scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
        for (int i = 0; i < 8; ++i) {
          (void)scene.assembly.add({"tile " + std::to_string(i), tile, translation(-2 + 1.3 * i, 0, 0)}).value();
          scene.bodies.push_back({.fixed = true, .friction = 0, .velocity = {}, .spin = {}, .at = {}});
        }
        (void)scene.assembly.add({"cube", cube, Pose::make({1, 0, 0, turned}, {-1.7, 0.1, 0.502}).value()}).value();
        scene.bodies.push_back({.friction = 0, .velocity = {speed, 0, 0}, .spin = {}, .at = {}});
        World world(scene, {});
        const double duration = std::min(3.0, 8 / speed);
        for (int i = 0; i < static_cast<int>(duration * rate); ++i) world.step();
        const Pose at_end = poses_of(world).back();
        EXPECT_NEAR(at_end.translation().x, -1.7 + speed * duration, 0.01 * speed);
        EXPECT_NEAR(at_end.translation().y, 0.1, 0.01);
        for (const Point3& p : cube.vertices()) EXPECT_NEAR(at_end.apply(p).z, p.z + 0.5, 0.001);
      }
}

}  // namespace
}  // namespace snug::headless
