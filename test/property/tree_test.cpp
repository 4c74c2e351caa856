#include "aligned_support.hpp"
#include "bvh/obb8/fit.hpp"
#include "bvh/obb8/obb_tree.hpp"
#include "scenes/solids.hpp"
#include "simd/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

// Trees of oriented boxes: the same for every thread count and instruction set, and sound for meshes that are hard to split.

namespace snug {
namespace {

using bvh::build_obb_tree;
using bvh::ObbTree;
using scenes::Random;
using Quality = ShapeOptions::Quality;

/// Of one surface, so that only the splitting of triangles is put to the test.
Mesh mesh_of(std::vector<Point3> vertices, std::vector<Index3> triangles) {
  MeshInput input;
  input.surfaces.resize(1);
  input.surface_of_triangle.assign(triangles.size(), 0);
  input.vertices = std::move(vertices), input.triangles = std::move(triangles);
  return Mesh::build(std::move(input)).value();
}

/// The same triangles in another order: neighbours no longer follow one another.
Mesh shuffled(const Mesh& mesh, std::uint64_t seed) {
  Random random(seed);
  std::vector<Index3> triangles(mesh.triangles().begin(), mesh.triangles().end());
  for (std::size_t i = triangles.size(); i > 1; --i) std::swap(triangles[i - 1], triangles[random.below(i)]);
  return mesh_of({mesh.vertices().begin(), mesh.vertices().end()}, std::move(triangles));
}

/// Triangles with no vertex in common, `size` across, around points of `spread`.
Mesh scattered(Random& random, std::uint32_t count, double spread, double size) {
  std::vector<Point3> vertices;
  std::vector<Index3> triangles;
  for (std::uint32_t t = 0; t < count; ++t) {
    const Point3 centre = random.point(-spread, spread);
    for (int k = 0; k < 3; ++k) vertices.push_back(centre + random.point(-size, size));
    triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return mesh_of(std::move(vertices), std::move(triangles));
}

bool same_bits(const ObbTree& a, const ObbTree& b) {
  return a.depth == b.depth && a.nodes.size() == b.nodes.size() && a.blocks.size() == b.blocks.size() &&
         std::memcmp(a.nodes.data(), b.nodes.data(), a.nodes.size() * sizeof a.nodes[0]) == 0 &&
         std::memcmp(a.blocks.data(), b.blocks.data(), a.blocks.size() * sizeof a.blocks[0]) == 0;
}

TEST(Tree, IsTheSameBitForBitForEveryThreadCount) {
  Random random(1);
  const Mesh knot = scenes::bumpy_knot(400, 24);
  const Mesh meshes[] = {knot, shuffled(knot, 2), scattered(random, 9000, 1, 0.02), scenes::cylinder(0.5, 1.6, 700)};
  for (const Mesh& mesh : meshes)
    for (const Quality quality : {Quality::searched, Quality::halved}) {
      const ObbTree one = build_obb_tree(mesh, {.quality = quality});
      EXPECT_EQ(validate(one, mesh), std::nullopt);
      for (const unsigned threads : {2U, 3U, 8U})
        EXPECT_TRUE(same_bits(build_obb_tree(mesh, {.quality = quality, .threads = threads}), one)) << threads;
    }
}

/// What a tree is before it is fitted: which node holds which, and which triangles.
ObbTree without_boxes(const ObbTree& tree) {
  ObbTree bare = tree;
  bare.cost = 0;
  for (bvh::ObbNode& node : bare.nodes) {
    const bvh::ObbNode full = node;
    node = {};
    node.first_node = full.first_node, node.first_block = full.first_block, node.surface = full.surface;
    node.inner = full.inner, node.count = full.count;
  }
  for (bvh::TriangleBlock& block : bare.blocks) {
    std::memset(block.corner, 0, sizeof block.corner);
    std::memset(block.origin, 0, sizeof block.origin);
    block.step = 0;
  }
  return bare;
}

TEST(Tree, IsTheSameBitForBitForEveryInstructionSet) {
  Random random(3);
  // Slivers, points and lines, whose boxes have no axes of their own; sizes at which floats and doubles end.
  std::vector<Point3> line;
  std::vector<Index3> degenerate;
  for (std::uint32_t i = 0; i < 900; ++i) line.push_back({double(i), 2.0 * i, -3.0 * (i % 7)});
  for (std::uint32_t i = 0; i + 2 < 900; ++i) degenerate.push_back({i, i + i % 3, i + 2});
  const Mesh knot = scenes::bumpy_knot(200, 12), strewn = scattered(random, 3000, 1, 0.3);
  const Mesh meshes[] = {knot,
                         strewn,
                         scattered(random, 3000, 1, 1e-9),
                         scenes::box({0, 0, 0}, {1, 2, 3}),
                         scenes::cylinder(0.5, 1.6, 500),
                         test::soup(random, 1500),
                         mesh_of(line, degenerate),
                         mesh_of({{3, 4, 5}}, std::vector<Index3>(3000, Index3{0, 0, 0})),
                         test::scaled(knot, 1e-290),
                         test::scaled(strewn, 1e290)};
  for (std::size_t m = 0; m < std::size(meshes); ++m) {
    SCOPED_TRACE(m);
    const Mesh& mesh = meshes[m];
    for (const Quality quality : {Quality::searched, Quality::halved}) {
      const ObbTree tree = build_obb_tree(mesh, {.quality = quality});
      EXPECT_TRUE(m == 3 || tree.depth >= 4) << "boxes around boxes are to be compared as well";
      for (const auto instructions : {Instructions::scalar, Instructions::sse2, Instructions::avx2}) {
        SCOPED_TRACE(query::kernels_for(instructions).name);
        ObbTree fitted = without_boxes(tree);
        EXPECT_FALSE(same_bits(fitted, tree));
        support::Team team(1 + static_cast<unsigned>(m % 2));
        bvh::fit_obb_tree(mesh, fitted, team, instructions);
        EXPECT_TRUE(same_bits(fitted, tree));
        EXPECT_EQ(fitted.cost, tree.cost);
      }
    }
  }
}

TEST(Tree, HoldsWhatIsHardToSplit) {
  const auto check = [](const char* what, const Mesh& mesh) {
    SCOPED_TRACE(what);
    for (const Quality quality : {Quality::searched, Quality::halved}) {
      const ObbTree tree = build_obb_tree(mesh, {.quality = quality, .threads = 2});
      EXPECT_EQ(validate(tree, mesh), std::nullopt);
      EXPECT_LE(tree.depth, 64U);
    }
  };
  Random random(5);
  const std::vector<Point3> corner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  check("one triangle five thousand times", mesh_of(corner, std::vector<Index3>(5000, Index3{0, 1, 2})));
  check("a point five thousand times", mesh_of({{3, 4, 5}}, std::vector<Index3>(5000, Index3{0, 0, 0})));
  std::vector<Point3> line;
  std::vector<Index3> degenerate;
  for (std::uint32_t i = 0; i < 6000; ++i) line.push_back({double(i), 2.0 * i, -3.0 * i});
  for (std::uint32_t i = 0; i + 2 < 6000; ++i) degenerate.push_back({i, i + 1, i + 2});
  check("points of a line", mesh_of(line, degenerate));
  // Each triangle half as large as the one before, all around one point: every plane leaves nearly all on one side.
  std::vector<Point3> shrinking;
  std::vector<Index3> nested;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const double size = std::exp2(-double(i % 300));
    for (const Point3& p : corner) shrinking.push_back({size * (p.x + 1), size * (p.y + 1), size * p.z});
    nested.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  check("ever smaller", mesh_of(shrinking, nested));
  // Nearly everything in one cell of the grid around it.
  for (const double spread : {1e-3, 1e-9, 0x1p-30}) {
    const Mesh cluster = scattered(random, 8000, spread, spread / 50);
    std::vector<Point3> vertices(cluster.vertices().begin(), cluster.vertices().end());
    std::vector<Index3> triangles(cluster.triangles().begin(), cluster.triangles().end());
    for (const Point3& p : corner) vertices.push_back({1e3 * p.x, 1e3 * p.y, 7});
    const auto n = static_cast<std::uint32_t>(vertices.size());
    triangles.push_back({n - 3, n - 2, n - 1});
    check("a speck and a plate", mesh_of(vertices, triangles));
  }
  check("long and thin", scattered(random, 5000, 1, 1.5));
  const Mesh knot = scenes::bumpy_knot(300, 16);
  std::vector<Point3> far;
  for (const Point3& p : knot.vertices()) far.push_back({p.x + 1e7, p.y - 1e7, p.z + 1e7});
  check("far away", mesh_of(far, {knot.triangles().begin(), knot.triangles().end()}));
  check("many small surfaces", test::soup(random, 4000));
}

TEST(Tree, PairsNeighboursOnlyWhereThatFillsBlocks) {
  const Mesh knot = scenes::bumpy_knot(400, 24);
  const double triangles = static_cast<double>(knot.triangles().size());
  // Every third quad without its second triangle: singles among pairs.
  std::vector<Index3> some;
  for (std::size_t t = 0; t < knot.triangles().size(); ++t)
    if (t % 6 != 1) some.push_back(knot.triangles()[t]);
  const Mesh mixed = mesh_of({knot.vertices().begin(), knot.vertices().end()}, some);
  EXPECT_LE(build_obb_tree(knot, {}).blocks.size(), 1.03 * triangles / 8);
  EXPECT_LE(build_obb_tree(shuffled(knot, 6), {}).blocks.size(), 1.05 * triangles / 8);
  const ObbTree tree = build_obb_tree(mixed, {});
  EXPECT_LE(tree.blocks.size(), 1.25 * static_cast<double>(some.size()) / 8);
  EXPECT_EQ(validate(tree, mixed), std::nullopt);
}

}  // namespace
}  // namespace snug
