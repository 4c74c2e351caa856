#include "../property/self_cases.hpp"
#include "cgal_self_judge.hpp"
#include "judge_support.hpp"
#include "query/self/beyond_shared.hpp"

#include <gtest/gtest.h>

#include <set>

// Where meshes meet themselves, held to CGAL: its own function on manifolds, its constructions in rationals on soups.

namespace snug::judge {
namespace {

using IdPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

IdPairs ids_of(const std::vector<TrianglePair>& pairs, const std::set<std::uint32_t>& without = {}) {
  IdPairs ids;
  for (const TrianglePair& pair : pairs)
    if (!without.contains(pair.a) && !without.contains(pair.b)) ids.emplace_back(pair.a, pair.b);
  return ids;
}

TEST(SelfIntersections, AreThoseOfCgalOnManifolds) {
  Scratch scratch;
  std::size_t manifolds = 0, found = 0, degenerate = 0;
  for (std::size_t seed = 0; seed < scaled(12); ++seed)
    for (const test::SelfCase& c : test::self_cases(seed)) {
      SCOPED_TRACE(c.name + ", seed " + std::to_string(seed));
      const CgalSelf judged = cgal_self_intersections(c.mesh.view());
      if (!judged.manifold) continue;
      ++manifolds;
      // CGAL names degenerate triangles and looks no further at them.
      std::set<std::uint32_t> without;
      IdPairs expected;
      for (const auto& pair : judged.pairs) {
        if (pair.first == pair.second)
          without.insert(pair.first);
        else
          expected.push_back(pair);
      }
      for (std::uint32_t t = 0; t < c.mesh.triangles().size(); ++t)
        ASSERT_EQ(is_degenerate(c.mesh.view().triangle(t)), without.contains(t));
      ASSERT_EQ(ids_of(self_intersections(Shape(c.mesh), scratch).value(), without), expected);
      found += expected.empty() ? 0 : 1, degenerate += without.empty() ? 0 : 1;
    }
  EXPECT_GE(manifolds, 7 * scaled(12));
  EXPECT_GE(found, 3 * scaled(12));
  RecordProperty("with_degenerate_triangles", static_cast<int>(degenerate));
}

TEST(SelfIntersections, OfScenesAreThoseOfCgal) {
  Scratch scratch;
  const Mesh knot = scenes::bumpy_knot(240, 16);
  for (const double height : {-2.0, 0.1, 0.2}) {
    SCOPED_TRACE(height);
    const Mesh mesh = test::folded(knot, height);
    const CgalSelf judged = cgal_self_intersections(mesh.view());
    ASSERT_TRUE(judged.manifold);
    EXPECT_EQ(judged.pairs.empty(), height < -1);
    EXPECT_EQ(ids_of(self_intersections(Shape(mesh), scratch).value()), judged.pairs);
  }
}

/// Two triangles of a small lattice with one to three corners in common, or none.
std::pair<Triangle, Triangle> lattice_neighbours(Random& random) {
  const auto place = [&] {
    const auto x = static_cast<double>(random.integer(-2, 2)), y = static_cast<double>(random.integer(-2, 2));
    return Point3{x, y, static_cast<double>(random.integer(random.one_in(2) ? 0 : -1, 1))};
  };
  std::pair<Triangle, Triangle> pair{{{place(), place(), place()}}, {{place(), place(), place()}}};
  const std::int64_t common = random.integer(0, 3);
  for (std::int64_t k = 0; k < common; ++k)
    pair.second.corner[static_cast<std::size_t>(k)] = pair.first[static_cast<std::size_t>(random.integer(0, 2))];
  return pair;
}

TEST(BeyondShared, IsWhatCgalConstructs) {
  std::size_t found = 0, degenerate = 0;
  const std::size_t count = scaled(20000);
  for (std::size_t seed = 0; seed < count; ++seed) {
    Random random(seed);
    auto [a, b] = lattice_neighbours(random);
    if (seed % 3 == 0) {
      // In general position, near misses included: the same places moved by the same rounding.
      for (Triangle* t : {&a, &b})
        for (Point3& p : t->corner)
          p = {0.1 * p.x + 0.7 * p.y - 0.3 * p.z, 1.1 * p.y + 0.2 * p.z + 0.01 * p.x,
               0.9 * p.z - 0.4 * p.x + 0.3 * p.y};
    }
    SCOPED_TRACE(seed);
    SCOPED_TRACE(to_hex(a, b));
    const bool expected = cgal_beyond_shared(a, b);
    ASSERT_EQ(query::relation_beyond_shared(a, b) != Relation::disjoint, expected);
    ASSERT_EQ(query::relation_beyond_shared(b, a), query::relation_beyond_shared(a, b));
    if (expected) {
      ASSERT_EQ(query::relation_beyond_shared(a, b), relation(a, b));
    }
    found += expected ? 1 : 0, degenerate += is_degenerate(a) || is_degenerate(b) ? 1 : 0;
  }
  EXPECT_GE(found, count / 6);
  EXPECT_LE(found, count * 4 / 5);
  EXPECT_GE(degenerate, count / 50);
}

}  // namespace
}  // namespace snug::judge
