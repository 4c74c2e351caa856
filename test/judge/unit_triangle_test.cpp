#include "cgal_judge.hpp"
#include "degenerate_pairs.hpp"
#include "judge_support.hpp"

#include "geometry/unit_triangle.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

// The second triangle test is one-sided: it may say it does not know, but what it says must hold.

namespace snug::judge {
namespace {

using geometry::UnitTriangleAnswer;

struct Answers {
  std::array<std::size_t, 3> count{};
  [[nodiscard]] std::size_t total() const { return count[0] + count[1] + count[2]; }
  [[nodiscard]] double decided() const {
    return 1 - static_cast<double>(count[static_cast<std::size_t>(UnitTriangleAnswer::undecided)]) /
                   static_cast<double>(total());
  }
};

void check(const Triangle& a, const Triangle& b, bool shares_point, Answers& answers) {
  const UnitTriangleAnswer answer = geometry::unit_triangle_test(a, b);
  ++answers.count[static_cast<std::size_t>(answer)];
  ASSERT_NE(answer, shares_point ? UnitTriangleAnswer::disjoint : UnitTriangleAnswer::intersecting) << to_hex(a, b);
}

template <class Make>
Answers check_pairs(const std::string& what, std::uint64_t seed, std::size_t count, Make make) {
  SCOPED_TRACE(testing::Message() << what << ", seed " << seed);
  Random random(seed);
  Answers answers;
  for (std::size_t i = 0; i != scaled(count); ++i) {
    const TrianglePair pair = make(random);
    const bool shares_point = cgal_relation(pair.a, pair.b) != Relation::disjoint;
    check(pair.a, pair.b, shares_point, answers);
    check(pair.b, pair.a, shares_point, answers);
    if (testing::Test::HasFatalFailure()) break;
  }
  std::printf("%-22s | %7zu answers | disjoint %7zu | intersecting %7zu | decided %6.2f %%\n", what.c_str(),
              answers.total(), answers.count[0], answers.count[2], 100 * answers.decided());
  return answers;
}

TEST(UnitTriangleJudged, NeverWrongAndNearlyAlwaysDecidedOnGenericPairs) {
  const Answers answers = check_pairs("generic", 51, 200'000, [](Random& random) { return generic_pair(random); });
  EXPECT_GE(answers.decided(), 0.99);
}

TEST(UnitTriangleJudged, NeverWrongOnDegeneratePairs) {
  for (const PairClass pair_class : k_pair_classes)
    check_pairs(std::string(to_string(pair_class)), 60 + static_cast<std::uint64_t>(pair_class), 20'000,
                [&](Random& random) { return degenerate_pair(pair_class, random); });
}

}  // namespace
}  // namespace snug::judge
