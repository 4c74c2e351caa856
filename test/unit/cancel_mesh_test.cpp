// Passes over all triangles of a mesh end soon after a cancel, and leave nothing half done.
#include "geometry/edges.hpp"
#include "mesh/crease.hpp"
#include "mesh/mesh_data.hpp"
#include "penetration/shrink.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support/parallel.hpp"

#include <snug/inspect.hpp>
#include <snug/path.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace snug {
namespace {

using namespace detail;

class CancelledMesh : public testing::Test {
 protected:
  CancelledMesh() { token.cancel(); }

  CancelToken token;
  const Mesh knot = scenes::bumpy_knot(165, 36);
};

TEST_F(CancelledMesh, PassesOverItEnd) {
  const auto place_of = same_place_ids(knot.vertices());
  EXPECT_THROW((void)same_place_ids(knot.vertices(), &token), LoopCancelled);
  EXPECT_THROW((void)sorted_edge_uses(knot.view(), place_of, &token), LoopCancelled);
  EXPECT_THROW((void)smooth_regions(knot.view(), 30, &token), LoopCancelled);
  EXPECT_THROW((void)shrunk(Shape(knot), 0.01, {}, &token), LoopCancelled);
  EXPECT_FALSE(inspect(knot, Watch{.cancel = &token}));
}

TEST_F(CancelledMesh, FindsItsSurfacesWhenAskedAgain) {
  MeshInput input{
      {knot.vertices().begin(), knot.vertices().end()}, {knot.triangles().begin(), knot.triangles().end()}, {}, {}};
  const Mesh by_crease = Mesh::build(input).value(), untouched = Mesh::build(input).value();
  EXPECT_THROW(MeshAccess::find_surfaces(by_crease, &token), LoopCancelled);
  EXPECT_THROW((void)MeshAccess::hash(by_crease, &token), LoopCancelled);
  EXPECT_EQ(by_crease.surfaces().size(), untouched.surfaces().size());
  EXPECT_EQ(by_crease.hash(), untouched.hash());
}

TEST_F(CancelledMesh, OfAPathLeavesItsPairsUnfinished) {
  const Motion still = Motion::rest(Pose{}), away = Motion::make({{0, Pose{}}, {1, translation(0.5, 0, 0)}}).value();
  const auto pair = check_path(Shape(knot), still, Shape(knot), away, {.budget = {.cancel = &token}});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->verdict, Verdict::undecided);
  EXPECT_EQ(pair->reason, "cancelled");
}

TEST(EdgeUses, AreOrderedByEdgeThenByTriangle) {
  scenes::Random random(7);
  MeshInput input;
  const auto corner = [&] { return static_cast<std::uint32_t>(random.below(200)); };
  for (int i = 0; i < 200; ++i) input.vertices.push_back(random.point(0, 1));
  for (int i = 0; i < 3000; ++i) input.triangles.push_back({corner(), corner(), corner()});
  const TriangleMeshView view{input.vertices, input.triangles};
  const auto uses = sorted_edge_uses(view, same_place_ids(view.vertices));
  ASSERT_FALSE(uses.empty());
  EXPECT_TRUE(std::ranges::is_sorted(uses, [](const EdgeUse& a, const EdgeUse& b) {
    return std::tie(a.lo, a.hi, a.triangle, a.side) < std::tie(b.lo, b.hi, b.triangle, b.side);
  }));
}

/// Two fans over one steeply waved rim: around their apexes no direction is on the outer side of all faces.
Mesh waved_fans(std::uint32_t count) {
  MeshInput input{{{0, 0, 1}, {0, 0, -1}}, {}, {}, {}};
  for (std::uint32_t i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    input.vertices.push_back({std::cos(angle), std::sin(angle), 20 * std::sin(2 * angle)});
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t p = 2 + i, q = 2 + (i + 1) % count;
    input.triangles.push_back({0, p, q});
    input.triangles.push_back({1, q, p});
  }
  return Mesh::build(std::move(input)).value();
}

TEST(ShrunkFans, MoveTheirApexesInwardsHoweverManyFacesMeetThere) {
  // Were the work quadratic, this many faces would take half an hour.
  for (const std::uint32_t count : {8U, 100U, 40'000U}) {
    const Shape fans(waved_fans(count));
    const Shrunk drawn = shrunk(fans, 0.01);
    for (const std::uint32_t apex : {0U, 1U}) {
      const Vec3 moved = drawn.vertices[apex] - fans.mesh().vertices()[apex];
      const double length = std::sqrt(moved.x * moved.x + moved.y * moved.y + moved.z * moved.z);
      EXPECT_GT(length, 0.005) << count;
      EXPECT_LE(length, 0.01) << count;
    }
  }
}

}  // namespace
}  // namespace snug
