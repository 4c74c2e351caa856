#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <set>

namespace snug {
namespace {

using scenes::Random;

/// All pairs without boxes, threads or any of the oracle's code but relation().
std::vector<TrianglePair> naive_pairs(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b) {
  std::vector<TrianglePair> pairs;
  for (std::uint32_t i = 0; i < a.triangles().size(); ++i)
    for (std::uint32_t j = 0; j < b.triangles().size(); ++j) {
      const Relation how =
          relation(test::posed(a.view().triangle(i), pose_a), test::posed(b.view().triangle(j), pose_b));
      if (how != Relation::disjoint) pairs.push_back({i, j, how});
    }
  return pairs;
}

/// The surfaces of some triangle pairs, each pair once, in order.
std::vector<SurfacePair> surfaces_of(const std::vector<TrianglePair>& pairs, const Mesh& a, const Mesh& b) {
  std::set<SurfacePair> surfaces;
  for (const TrianglePair& p : pairs) surfaces.insert({a.surface_of(p.a), b.surface_of(p.b)});
  return {surfaces.begin(), surfaces.end()};
}

Mesh random_soup(Random& random, std::size_t count) {
  MeshInput in;
  for (std::size_t t = 0; t < count; ++t) {
    const Point3 at = random.point(-1, 1);
    const auto k = static_cast<std::uint32_t>(in.vertices.size());
    for (int i = 0; i < 3; ++i) in.vertices.push_back(at + random.point(-0.3, 0.3));
    if (random.below(10) == 0) in.vertices.back() = in.vertices[k];  // degenerate
    in.triangles.push_back({k, k + 1, k + 2});
  }
  return Mesh::build(std::move(in)).value();
}

class EveryMethod : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         testing::Values(Method::surface, Method::brute, Method::dop, Method::dop_fixed),
                         [](const auto& one) { return std::string(to_string(one.param)); });

TEST_P(EveryMethod, FindsExactlyWhatComparingEveryTriangleFinds) {
  const QueryOptions options{.method = GetParam()};
  Scratch scratch;
  std::size_t with_hits = 0;
  const std::uint64_t count = test::scaled(200);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Mesh a = seed % 3 == 0 ? random_soup(random, 90) : scenes::torus(1, 0.3, 12, 6);
    const Mesh b = seed % 2 == 0 ? random_soup(random, 70) : scenes::sphere(0.8, 6, 9);
    const Pose pose_a = random.pose(1), pose_b = random.pose(1);
    const Shape shape_a(a), shape_b(b);
    const auto expected = naive_pairs(a, pose_a, b, pose_b);
    const auto found = triangle_pairs(shape_a, pose_a, shape_b, pose_b, scratch, options);
    ASSERT_EQ(found, expected);
    ASSERT_TRUE(std::ranges::is_sorted(found));
    with_hits += expected.empty() ? 0 : 1;

    const auto first = first_pair(shape_a, pose_a, shape_b, pose_b, scratch, options);
    ASSERT_EQ(first.has_value(), !expected.empty());
    if (first) {
      ASSERT_TRUE(std::ranges::binary_search(expected, *first));
      if (GetParam() == Method::brute) {
        ASSERT_EQ(*first, expected.front());
      }
    }
    ASSERT_EQ(intersects(shape_a, pose_a, shape_b, pose_b, scratch, options), !expected.empty());

    auto exchanged = triangle_pairs(shape_b, pose_b, shape_a, pose_a, scratch, options);
    for (TrianglePair& p : exchanged) std::swap(p.a, p.b);
    std::ranges::sort(exchanged);
    ASSERT_EQ(exchanged, expected);
  }
  EXPECT_GE(2 * with_hits, count) << "at least half of the poses must intersect for the test to mean something";
}

TEST_P(EveryMethod, FindsTheSurfacesOfTheTrianglesThatMeet) {
  Scratch scratch;
  std::size_t several = 0;
  const std::uint64_t count = test::scaled(200);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Mesh a = seed % 3 == 0 ? random_soup(random, 60) : scenes::box({-1, -0.5, -0.7}, {1, 0.5, 0.7});
    const Mesh b = seed % 2 == 0 ? scenes::cylinder(0.4, 1.5, 12) : scenes::box({-0.5, -1, -0.5}, {0.5, 1, 0.5});
    const Pose pose_a = random.pose(1), pose_b = random.pose(1);
    const Shape shape_a(a), shape_b(b);
    const auto expected = surfaces_of(naive_pairs(a, pose_a, b, pose_b), a, b);
    several += expected.size() > 1 ? 1 : 0;

    Stats stats;
    const QueryOptions options{.method = GetParam(), .stats = &stats};
    ASSERT_EQ(surface_pairs(shape_a, pose_a, shape_b, pose_b, scratch, options), expected);
    const auto first = first_surface_pair(shape_a, pose_a, shape_b, pose_b, scratch, options);
    ASSERT_EQ(first.has_value(), !expected.empty());
    if (first) {
      ASSERT_TRUE(std::ranges::binary_search(expected, *first));
      if (GetParam() == Method::brute) {
        ASSERT_EQ(*first, expected.front());
      }
    }
    if (GetParam() == Method::brute) {
      ASSERT_EQ(stats.box_tests, 2 * a.triangles().size() * b.triangles().size());
    }
    ASSERT_LE(stats.exact_tests, stats.triangle_tests);
  }
  EXPECT_GE(2 * several, count) << "at least half of the poses must have several pairs for the test to mean something";
}

TEST_P(EveryMethod, TellsTouchingFromCrossingBoxesInEveryRotation) {
  Scratch scratch;
  const Shape cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  for (const Pose& turn : test::cube_rotations()) {
    const auto relation_at = [&](double gap) {
      const auto pairs =
          triangle_pairs(cube, turn, cube, translation(2 + gap, 0.25, 0.5), scratch, {.method = GetParam()});
      if (pairs.empty()) return Relation::disjoint;
      return std::ranges::any_of(pairs, [](const TrianglePair& p) { return p.relation == Relation::crossing; })
                 ? Relation::crossing
                 : Relation::touching;
    };
    EXPECT_EQ(relation_at(0), Relation::touching);
    EXPECT_EQ(relation_at(0x1p-20), Relation::disjoint);
    EXPECT_EQ(relation_at(-0x1p-20), Relation::crossing);
    EXPECT_EQ(relation_at(0x1p-51), Relation::disjoint);
    EXPECT_EQ(relation_at(-0x1p-51), Relation::crossing);
  }
}

TEST(Resolution, GrowsWithTheDistanceFromTheOrigin) {
  const Shape cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const double near_origin = resolution(cube, {}, cube, {});
  const double far_out = resolution(cube, translation(1e7, 0, 0), cube, {});
  EXPECT_GT(near_origin, 0);
  EXPECT_LT(near_origin, 1e-14);
  EXPECT_GT(far_out, 1e-9);
  EXPECT_LT(far_out, 1e-7);
}

}  // namespace
}  // namespace snug
