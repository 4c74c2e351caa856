// A flat floor of many triangles is a flat floor: its inner edges stop nobody.

#include "physics/headless/world.hpp"
#include "scenes/mesh_draft.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace snug::headless {
namespace {

/// A block whose top, at z = 0, is cut into squares of two triangles each, the diagonals to either side in turn.
Mesh tessellated_floor(double half, double thickness, std::uint32_t squares) {
  scenes::MeshDraft draft;
  scenes::Corners at(draft);
  draft.surface("floor");
  const auto x = [&](std::uint32_t i) { return half * (2.0 * i / squares - 1); };
  for (std::uint32_t j = 0; j < squares; ++j)
    for (std::uint32_t i = 0; i < squares; ++i) {
      const std::uint32_t a = at({x(i), x(j), 0}), b = at({x(i + 1), x(j), 0}), c = at({x(i + 1), x(j + 1), 0}),
                          d = at({x(i), x(j + 1), 0});
      if ((i + j) % 2 == 0)
        draft.quad(a, b, c, d);
      else
        draft.quad(b, c, d, a);
    }
  for (std::uint32_t i = 0; i < squares; ++i) {
    const auto wall = [&](const Point3& from, const Point3& to) {
      draft.quad(at({from.x, from.y, -thickness}), at({to.x, to.y, -thickness}), at(to), at(from));
    };
    wall({x(i), -half, 0}, {x(i + 1), -half, 0});
    wall({half, x(i), 0}, {half, x(i + 1), 0});
    wall({x(i + 1), half, 0}, {x(i), half, 0});
    wall({-half, x(i + 1), 0}, {-half, x(i), 0});
  }
  for (std::uint32_t j = 0; j < squares; ++j)
    for (std::uint32_t i = 0; i < squares; ++i)
      draft.quad(at({x(i), x(j), -thickness}), at({x(i), x(j + 1), -thickness}), at({x(i + 1), x(j + 1), -thickness}),
                 at({x(i + 1), x(j), -thickness}));
  return draft.build();
}

struct Slid {
  Pose at_end;
  double highest = 0, lowest = 0;  ///< of its middle, beside where it began
};

Slid slide(const Mesh& body, double height, double rate, const Vec3& velocity, const Vec3& spin, double seconds) {
  WorldScene scene{.name = "floor", .assembly = Assembly(LengthUnit::metre), .bodies = {}};
  scene.rate_hz = rate;
  (void)scene.assembly.add({"floor", tessellated_floor(3, 0.5, 40), {}}).value();
  scene.bodies.push_back({.fixed = true, .friction = 0, .velocity = {}, .spin = {}, .at = {}});
  (void)scene.assembly.add({"body", body, translation(-2.03, -0.51, height)}).value();
  scene.bodies.push_back({.friction = 0, .restitution = 0, .velocity = velocity, .spin = spin, .at = {}});
  World world(scene, {.sleep = false});
  Slid slid;
  std::vector<Pose> poses;
  for (int i = 0; i < static_cast<int>(seconds * rate); ++i) {
    world.step();
    world.poses(poses);
    const double z = poses[1].translation().z - height;
    slid.highest = std::max(slid.highest, z), slid.lowest = std::min(slid.lowest, z);
  }
  slid.at_end = poses[1];
  return slid;
}

TEST(InnerEdges, DoNotCatchABoxThatSlides) {
  const Mesh box = scenes::box({-0.11, -0.08, -0.05}, {0.11, 0.08, 0.05});
  for (const double rate : {60.0, 240.0})
    for (const Vec3& velocity : {Vec3{1, 0, 0}, Vec3{2.5, 0.7, 0}, Vec3{1.3, 1.3, 0}}) {
      SCOPED_TRACE(testing::Message() << rate << " Hz, " << velocity.x << ' ' << velocity.y);
      const Slid slid = slide(box, 0.0502, rate, velocity, {}, 1.2);
      EXPECT_NEAR(slid.at_end.translation().x, -2.03 + 1.2 * velocity.x, 0.002 * velocity.x);
      EXPECT_NEAR(slid.at_end.translation().y, -0.51 + 1.2 * velocity.y, 0.002);
      EXPECT_LT(slid.highest, 2e-4);
      EXPECT_GT(slid.lowest, -1.5e-3);
    }
}

TEST(InnerEdges, DoNotCatchABallThatSlides) {
  const Mesh ball = scenes::sphere(0.1, 20, 40);
  for (const double rate : {60.0, 240.0})
    for (const Vec3& velocity : {Vec3{1, 0, 0}, Vec3{2.5, 0.7, 0}}) {
      SCOPED_TRACE(testing::Message() << rate << " Hz, " << velocity.x << ' ' << velocity.y);
      // Not turning, it slides on one facet or corner of its own; without friction nothing turns it.
      const Slid slid = slide(ball, 0.1002, rate, velocity, {}, 1.2);
      EXPECT_NEAR(slid.at_end.translation().x, -2.03 + 1.2 * velocity.x, 0.002 * velocity.x);
      EXPECT_NEAR(slid.at_end.translation().y, -0.51 + 1.2 * velocity.y, 0.002);
      EXPECT_LT(slid.highest, 2e-4);
      EXPECT_GT(slid.lowest, -1.5e-3);
    }
}

}  // namespace
}  // namespace snug::headless
