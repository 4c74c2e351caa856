// Continuous contact, held to algebraic numbers.

#include "bench/ccd/query_file.hpp"
#include "geometry/ccd/exact.hpp"
#include "geometry/ccd/filter.hpp"
#include "moving_judge.hpp"
#include "moving_queries.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace snug::judge {
namespace {

using namespace snug::geometry::moving;

class FirstContact : public testing::TestWithParam<int> {
 protected:
  static MovingKind kind() { return static_cast<MovingKind>(GetParam()); }
};

/// Filter, exact stage and both together against the judge; everything a query can be wrong about.
void expect_truth(const MovingPoints& p, bool vertex_face, std::size_t& hits, std::size_t& unsure) {
  const MovingTriangle face{p[1], p[2], p[3]};
  const MovingEdge a{p[0], p[1]}, b{p[2], p[3]};
  const ContactOptions options{.time_tolerance = 1e-6};
  const auto claim = vertex_face ? first_contact(p[0], face, options) : first_contact(a, b, options);
  const MovingTruth truth = vertex_face ? moving_truth(p[0], face, claim) : moving_truth(a, b, claim);
  ASSERT_EQ(claim.has_value(), truth.hit);
  ASSERT_TRUE(truth.claim_holds) << claim->t_lo << ' ' << claim->t_hi;
  if (claim) {
    ASSERT_LE(claim->t_hi - claim->t_lo, options.time_tolerance);
    ASSERT_LE(0, claim->t_lo);
    ASSERT_LE(claim->t_hi, 1);
  }

  const MovingPolygon polygon = vertex_face ? MovingPolygon::vertex_face(p[0], face) : MovingPolygon::edge_edge(a, b);
  const auto exact = first_contact_exactly(polygon, options.time_tolerance);
  ASSERT_EQ(exact.has_value(), truth.hit);
  if (exact) {
    ASSERT_TRUE(exact->t_lo <= claim->t_hi && claim->t_lo <= exact->t_hi);
    ASSERT_LE(exact->t_hi - exact->t_lo, options.time_tolerance);
  }
  const Filtered filtered = filtered_contact(polygon);
  if (filtered.certainty != Certainty::unsure) {
    ASSERT_EQ(filtered.certainty == Certainty::contact, truth.hit);
  }
  hits += truth.hit ? 1 : 0;
  unsure += filtered.certainty == Certainty::unsure ? 1 : 0;
}

// 100,000 in all with SNUG_LONG, two kinds of query each.
TEST_P(FirstContact, IsThatOfTheJudge) {
  const std::size_t queries = scaled(10'000 / (2 * static_cast<std::size_t>(MovingKind::count_)) + 1);
  for (const bool vertex_face : {true, false}) {
    std::size_t hits = 0, unsure = 0;
    for (std::size_t seed = 0; seed < queries; ++seed) {
      Random random(1'000'000 * static_cast<std::uint64_t>(GetParam()) + 2 * seed + (vertex_face ? 1 : 0));
      const MovingPoints points = moving_query(kind(), vertex_face, random);
      SCOPED_TRACE((vertex_face ? "vertex-face, seed " : "edge-edge, seed ") + std::to_string(seed) + '\n' +
                   to_hex(points));
      expect_truth(points, vertex_face, hits, unsure);
      if (HasFatalFailure()) return;
    }
    if (queries >= 90) {  // fewer under sanitizers, and then a rare kind may have none
      EXPECT_GT(hits, 0U);
      EXPECT_LT(hits, queries);
    }
    const std::string prefix = vertex_face ? "vertex_face_" : "edge_edge_";
    RecordProperty(prefix + "hits", std::to_string(hits));
    RecordProperty(prefix + "left_to_exact_arithmetic", std::to_string(unsure));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, FirstContact, testing::Range(0, static_cast<int>(MovingKind::count_)),
                         [](const auto& kind) { return std::string(to_string(static_cast<MovingKind>(kind.param))); });

// The labels of others, and our own judge beside them.
TEST(FirstContactLabels, AreAllRight) {
  if (test::data_dir().empty()) GTEST_SKIP() << "no test data: set SNUG_DATA to its folder";
  const auto folder = test::data_dir() / "ccd";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
  std::size_t queries = 0, hits = 0;
  for (const bench::ccd::QuerySet& set : bench::ccd::read_queries(folder)) {
    ASSERT_EQ(set.problem, "");
    for (std::size_t i = 0; i < set.queries.size(); ++i) {
      const bench::ccd::Query& query = set.queries[i];
      SCOPED_TRACE(set.name + ", query " + std::to_string(i));
      ASSERT_TRUE(query.exact);
      const auto claim = query.first_contact();
      EXPECT_EQ(claim.has_value(), query.hit);
      const MovingTruth truth = query.vertex_face ? moving_truth(query.moving(0), query.face(), claim)
                                                  : moving_truth(query.edge(0), query.edge(1), claim);
      EXPECT_EQ(truth.hit, query.hit);
      EXPECT_TRUE(truth.claim_holds);
      ++queries;
      hits += query.hit ? 1 : 0;
    }
  }
  EXPECT_GT(queries, 1'000U);
  EXPECT_GT(hits, 100U);
}

}  // namespace
}  // namespace snug::judge
