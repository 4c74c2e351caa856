#include "query/self/beyond_shared.hpp"
#include "self_cases.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>

// Where a mesh meets itself: the search by its tree held to all pairs, on every instruction set and thread count.

namespace snug {
namespace {

constexpr std::array k_instructions{Instructions::scalar, Instructions::sse2, Instructions::avx2};

/// All pairs, without any of the code that is under test but the decision itself.
std::vector<TrianglePair> by_hand(const Mesh& mesh) {
  std::vector<TrianglePair> pairs;
  for (std::uint32_t a = 0; a < mesh.triangles().size(); ++a)
    for (std::uint32_t b = a + 1; b < mesh.triangles().size(); ++b) {
      const Triangle s = mesh.view().triangle(a), t = mesh.view().triangle(b);
      const Relation how = query::relation_beyond_shared(s, t);
      if (how == Relation::disjoint) continue;
      EXPECT_EQ(how, relation(s, t));
      pairs.push_back({a, b, how});
    }
  return pairs;
}

TEST(SelfIntersections, AreThoseOfAllPairs) {
  Scratch scratch;
  const std::uint64_t seeds = test::scaled(8);
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    for (const test::SelfCase& c : test::self_cases(seed)) {
      SCOPED_TRACE(c.name + ", seed " + std::to_string(seed));
      const Shape shape(c.mesh);
      const auto expected = self_intersections(shape, scratch, {.method = Method::brute}).value();
      if (c.mesh.triangles().size() < 600) {
        ASSERT_EQ(expected, by_hand(c.mesh));
      }
      ASSERT_EQ(c.clean, expected.empty());
      ASSERT_EQ(intersects_itself(shape, scratch), !expected.empty());
      std::optional<TrianglePair> first;
      Stats counted;
      for (const Instructions instructions : k_instructions) {
        SCOPED_TRACE(static_cast<int>(instructions));
        Stats stats;
        const SelfOptions options{.instructions = instructions, .stats = &stats};
        ASSERT_EQ(self_intersections(shape, scratch, options).value(), expected);
        const auto one = first_self_intersection(shape, scratch, options).value();
        ASSERT_EQ(one.has_value(), !expected.empty());
        if (one) {
          ASSERT_TRUE(std::ranges::binary_search(expected, *one));
        }
        if (instructions == k_instructions.front()) {
          first = one, counted = stats;
        } else {
          ASSERT_EQ(one, first);
          ASSERT_EQ(stats, counted);
        }
      }
      std::vector<TrianglePair> visited;
      ASSERT_TRUE(visit_self_intersections(shape, scratch, [&](const TrianglePair& pair) {
        visited.push_back(pair);
        return true;
      }));
      if (first) {
        ASSERT_EQ(visited.front(), *first);
      }
      std::ranges::sort(visited);
      ASSERT_EQ(visited, expected) << "each once";
      for (const unsigned threads : {2U, 5U})
        for (const Method method : {Method::surface, Method::brute}) {
          const SelfOptions options{.method = method, .threads = threads};
          ASSERT_EQ(self_intersections(shape, scratch, options).value(), expected);
          const auto one = first_self_intersection(shape, scratch, options).value();
          ASSERT_EQ(one, method == Method::surface ? first
                         : expected.empty()        ? std::nullopt
                                                   : std::optional(expected[0]));
        }
    }
}

TEST(SelfIntersections, OfMeshesFarAwayAndOfPartsOfAllSizes) {
  Scratch scratch;
  std::size_t found = 0;
  const std::uint64_t seeds = test::scaled(8);
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    for (const test::SelfCase& c : test::self_cases(100 + seed)) {
      SCOPED_TRACE(c.name + ", seed " + std::to_string(seed));
      scenes::Random random(seed);
      const Vec3 away = std::exp2(random.uniform(0, 30)) * random.point(-1, 1);
      const double shrink = random.uniform(0, 60);
      const auto far = [&](const Point3& p) { return p + away; };
      // Ever smaller towards one side.
      const auto tapered = [&](const Point3& p) { return std::exp2(shrink * (p.x - 1)) * p; };
      for (const Mesh& mesh : {test::moved_mesh(c.mesh, far), test::moved_mesh(c.mesh, tapered)}) {
        const Shape shape(mesh);
        const auto expected = self_intersections(shape, scratch, {.method = Method::brute}).value();
        for (const Instructions instructions : {Instructions::scalar, Instructions::best})
          ASSERT_EQ(self_intersections(shape, scratch, {.instructions = instructions}).value(), expected);
        found += expected.empty() ? 0 : 1;
      }
    }
  EXPECT_GE(found, 10 * seeds);
}

TEST(SelfIntersections, OfATreeWithManyParts) {
  // More blocks than one part of the search takes.
  const Mesh knot = scenes::bumpy_knot(700, 24);
  const Shape clean(knot);
  const Shape folded(test::folded(knot, 0.05));
  Scratch scratch;
  EXPECT_FALSE(intersects_itself(clean, scratch));
  const auto pairs = self_intersections(folded, scratch).value();
  EXPECT_GT(pairs.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(pairs));
  const auto first = first_self_intersection(folded, scratch).value();
  ASSERT_TRUE(first);
  for (const unsigned threads : {2U, 7U}) {
    EXPECT_EQ(self_intersections(folded, scratch, {.threads = threads}).value(), pairs);
    EXPECT_EQ(first_self_intersection(folded, scratch, {.threads = threads}).value(), first);
  }
  // A refitted tree finds the same.
  const auto refitted = clean.updated({folded.mesh().vertices().begin(), folded.mesh().vertices().end()}).value();
  EXPECT_EQ(self_intersections(refitted, scratch, {.threads = 2}).value(), pairs);
  std::size_t asked = 0;
  ASSERT_TRUE(visit_self_intersections(folded, scratch, [&](const TrianglePair&) { return ++asked < 5; }));
  EXPECT_EQ(asked, 5U);
}

TEST(SelfIntersections, CanBeWatchedAndEnded) {
  const Shape shape(test::folded(scenes::bumpy_knot(300, 24), 0.05));
  Scratch scratch;
  for (const Method method : {Method::surface, Method::brute})
    for (const unsigned threads : {1U, 3U}) {
      SCOPED_TRACE(threads);
      std::vector<double> told;
      CancelToken token;
      SelfOptions options{.method = method, .threads = threads};
      options.watch = {&token, [&, caller = std::this_thread::get_id()](double fraction) {
                         EXPECT_EQ(std::this_thread::get_id(), caller);
                         told.push_back(fraction);
                       }};
      const auto pairs = self_intersections(shape, scratch, options).value();
      ASSERT_FALSE(pairs.empty());
      ASSERT_GE(told.size(), 2U);
      EXPECT_TRUE(std::ranges::is_sorted(told));
      EXPECT_EQ(told.front(), 0);
      EXPECT_EQ(told.back(), 1);
      // From within, after the first word of progress.
      options.watch.progress = [&](double) { token.cancel(); };
      std::vector<TrianglePair> kept{{1, 2, Relation::touching}};
      EXPECT_FALSE(self_intersections(shape, scratch, kept, options));
      EXPECT_TRUE(kept.empty()) << "no partial answer";
      EXPECT_FALSE(first_self_intersection(shape, scratch, options));
      EXPECT_FALSE(self_intersections(shape, scratch, options));
      std::size_t visited = 0;
      EXPECT_FALSE(
          visit_self_intersections(shape, scratch, [&](const TrianglePair&) { return ++visited > 0; }, options));
      EXPECT_EQ(self_intersections(shape, scratch, {.method = method}).value(), pairs);
    }
}

}  // namespace
}  // namespace snug
