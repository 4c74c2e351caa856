#include "cgal_judge.hpp"
#include "degenerate_pairs.hpp"
#include "judge_support.hpp"
#include "outcome_table.hpp"
#include "rational_judge.hpp"

#include <snug/predicates.hpp>
#include <snug/triangle.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace snug::judge {
namespace {

/// Compares both argument orders; says where the first few differ.
bool agrees(const TrianglePair& pair, Relation judged, std::uint64_t seed) {
  const Relation forward = relation(pair.a, pair.b);
  const Relation backward = relation(pair.b, pair.a);
  if (forward == judged && backward == judged) return true;
  ADD_FAILURE() << "seed " << seed << ": judge says " << to_string(judged) << ", snug " << to_string(forward) << " and "
                << to_string(backward) << " the other way round" << to_hex(pair.a, pair.b);
  return false;
}

constexpr std::size_t k_enough_failures = 5;

TEST(RelationJudged, OnGenericPairs) {
  const std::uint64_t seed = 101;
  Random random(seed);
  Outcomes outcomes;
  const std::size_t count = scaled(1'000'000);
  for (std::size_t i = 0; i != count && outcomes.disagreements < k_enough_failures; ++i) {
    const TrianglePair pair = generic_pair(random);
    const Relation judged = cgal_relation(pair.a, pair.b);
    outcomes.count(judged, agrees(pair, judged, seed));
  }
  print_row("generic", outcomes);
  if (outcomes.total() >= 1000) {
    EXPECT_GE(outcomes.share(Relation::crossing), 0.3) << "too few pairs that meet to be a test of meeting";
  }
}

class EveryClass : public testing::TestWithParam<PairClass> {};

TEST_P(EveryClass, RelationAgreesWithCgal) {
  const std::uint64_t seed = 200 + static_cast<std::uint64_t>(GetParam());
  Random random(seed);
  Outcomes outcomes;
  const std::size_t count = scaled(30'000);
  for (std::size_t i = 0; i != count && outcomes.disagreements < k_enough_failures; ++i) {
    const TrianglePair pair = degenerate_pair(GetParam(), random);
    const Relation judged = cgal_relation(pair.a, pair.b);
    outcomes.count(judged, agrees(pair, judged, seed));
  }
  print_row(to_string(GetParam()), outcomes);
  // The neighbours an ulp away make every outcome possible in every class.
  if (outcomes.total() >= 20'000) {
    for (const Relation r : {Relation::disjoint, Relation::touching, Relation::crossing})
      EXPECT_GE(outcomes.share(r), 0.001) << "the class hardly ever yields " << to_string(r);
  }
}

TEST_P(EveryClass, RelationIsTheSameInAll72Orders) {
  const std::uint64_t seed = 300 + static_cast<std::uint64_t>(GetParam());
  Random random(seed);
  const std::size_t count = scaled(1'500);
  for (std::size_t i = 0; i != count; ++i) {
    const TrianglePair pair = degenerate_pair(GetParam(), random);
    const Relation judged = cgal_relation(pair.a, pair.b);
    for (std::size_t order_a = 0; order_a != 6; ++order_a)
      for (std::size_t order_b = 0; order_b != 6; ++order_b) {
        const TrianglePair turned{reordered(pair.a, order_a), reordered(pair.b, order_b), pair.placement};
        if (!agrees(turned, judged, seed)) return;
      }
  }
}

TEST_P(EveryClass, DegeneracyOfEachTriangleIsExact) {
  Random random(400 + static_cast<std::uint64_t>(GetParam()));
  const std::size_t count = scaled(2'000);
  for (std::size_t i = 0; i != count; ++i) {
    const TrianglePair pair = degenerate_pair(GetParam(), random);
    for (const Triangle& t : {pair.a, pair.b}) ASSERT_EQ(is_degenerate(t), rational_is_degenerate(t)) << to_hex(t);
  }
}

// Whether the shared points form a point, a segment or a polygon follows exact decisions. Only a polygon may lose
// corners: where it is too small for its coordinates they round to one place.
TEST_P(EveryClass, IntersectionIsOfTheExactKind) {
  const std::uint64_t seed = 500 + static_cast<std::uint64_t>(GetParam());
  Random random(seed);
  std::size_t wrong = 0;
  const std::size_t count = scaled(3'000);
  for (std::size_t i = 0; i != count && wrong < k_enough_failures; ++i) {
    const TrianglePair pair = degenerate_pair(GetParam(), random);
    const RationalIntersection judged = rational_intersection(pair.a, pair.b);
    for (const TriangleIntersection& found : {intersection(pair.a, pair.b), intersection(pair.b, pair.a)}) {
      ASSERT_EQ(found.relation, judged.relation) << "seed " << seed << to_hex(pair.a, pair.b);
      const auto corners = static_cast<int>(found.count);
      if (judged.corners >= 3 ? corners >= 1 : corners == judged.corners) continue;
      ++wrong;
      ADD_FAILURE() << "seed " << seed << ": " << judged.corners << " corners, not " << found.count
                    << to_hex(pair.a, pair.b);
    }
  }
}

TEST_P(EveryClass, IntersectionCornersLieOnBothTriangles) {
  const std::uint64_t seed = 550 + static_cast<std::uint64_t>(GetParam());
  Random random(seed);
  const std::size_t count = scaled(3'000);
  double worst = 0;  // in units of the rounding of the largest coordinate
  for (std::size_t i = 0; i != count; ++i) {
    const TrianglePair pair = degenerate_pair(GetParam(), random);
    double largest = 0;
    for (const Triangle* t : {&pair.a, &pair.b})
      for (const Point3& p : t->corner) largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    const TriangleIntersection found = intersection(pair.a, pair.b);
    for (const Point3& p : found.points()) {
      const double error = std::max(cgal_distance(p, pair.a), cgal_distance(p, pair.b)) / (0x1p-53 * largest);
      ASSERT_LE(error, 1024) << "seed " << seed << ": corner " << to_hex(p) << to_hex(pair.a, pair.b);
      worst = std::max(worst, error);
    }
  }
  std::printf("%-22s | intersection corners off by at most %.1f half ulps of the largest coordinate\n",
              std::string(to_string(GetParam())).c_str(), worst);
}

// CGAL's filters do not cover these; the plain rational judge does.
TEST_P(EveryClass, RelationIsExactAtExtremeScales) {
  const std::uint64_t seed = 600 + static_cast<std::uint64_t>(GetParam());
  Random random(seed);
  const std::size_t count = scaled(2'000);
  for (std::size_t i = 0; i != count; ++i) {
    TrianglePair pair = degenerate_pair(GetParam(), random);
    // Up to where coordinates overflow, down to where they lose bits and fall together.
    const int exponent = static_cast<int>(random.one_in(2) ? random.integer(900, 960) : random.integer(-1070, -960));
    for (Triangle* t : {&pair.a, &pair.b})
      for (Point3& p : t->corner) p = {std::ldexp(p.x, exponent), std::ldexp(p.y, exponent), std::ldexp(p.z, exponent)};
    if (!agrees(pair, rational_intersection(pair.a, pair.b).relation, seed)) return;
  }
}

std::string class_name(const testing::TestParamInfo<PairClass>& info) {
  std::string name(to_string(info.param));
  for (char& c : name)
    if (c == ' ' || c == '-') c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Judged, EveryClass, testing::ValuesIn(k_pair_classes), class_name);

}  // namespace
}  // namespace snug::judge
