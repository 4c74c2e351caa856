// A deadline that has passed: nothing more is looked at, at rest or on the way, and what is left is undecided.

#include "assembly/path/describe.hpp"
#include "assembly/path/gap.hpp"
#include "assembly/path/path_pair.hpp"
#include "bvh/aabb/aabb_tree.hpp"
#include "scenes/solids.hpp"
#include "shape/trees.hpp"

#include <snug/path.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <vector>

namespace snug::assembly {
namespace {

Budget past() { return Budget::lasting(std::chrono::seconds(-1)); }

Motion falling() { return Motion::make({{0, translation(0, 0, 3)}, {1, translation(0, 0, -3)}}, Arc::shorter).value(); }

TEST(PathDeadline, NoPairIsLookedAtOnceItHasPassed) {
  Assembly assembly(LengthUnit::millimetre);
  std::vector<Motion> motions;
  const Mesh ball = scenes::sphere(1, 12, 24);
  for (int i = 0; i < 6; ++i) {  // in a row, each into the next; one falls through the first
    const Pose pose = translation(1.9 * i, 0, 0);
    ASSERT_TRUE(assembly.add({"ball" + std::to_string(i), ball, pose}));
    motions.push_back(Motion::rest(pose));
  }
  ASSERT_TRUE(assembly.add({"falling", ball, {}}));
  motions.push_back(falling());
  const PathReport whole = check_path(assembly, motions).value();
  EXPECT_EQ(whole.count_of(Verdict::clash), 7u);
  EXPECT_TRUE(whole.coverage.complete);
  for (const Budget& budget : {past(), Budget{.steps = 0}})
    for (const bool all_gaps : {false, true})
      for (const unsigned threads : {1U, 3U}) {
        const PathReport report =
            check_path(assembly, motions, {.all_gaps = all_gaps, .budget = budget, .threads = threads}).value();
        EXPECT_EQ(report.count_of(Verdict::undecided), report.coverage.pairs_tested);
        EXPECT_EQ(report.findings.size(), report.coverage.pairs_tested);
        EXPECT_EQ(report.coverage.pairs_tested, all_gaps ? 21u : 7u);
        EXPECT_FALSE(report.coverage.complete || report.cancelled);
        EXPECT_TRUE(report.gaps.empty());
        for (const PathFinding& finding : report.findings) {
          EXPECT_EQ(finding.pairs + finding.pieces, 0u);
          EXPECT_EQ(finding.undecided, (std::vector{TimeSpan{0, 1}}));
          EXPECT_EQ(finding.reason, k_budget_spent);
          EXPECT_EQ(finding.shown_at, 0);
        }
      }
}

TEST(PathDeadline, NoTreeIsBuiltOnceItHasPassed) {
  const Shape a(scenes::sphere(1, 12, 24)), b(scenes::box({-2, -2, -1}, {2, 2, 0}));
  const PathPairReport report = check_path(a, falling(), b, Motion::rest({}), {.budget = past()}).value();
  EXPECT_EQ(report.verdict, Verdict::undecided);
  EXPECT_FALSE(report.complete);
  for (const Shape* shape : {&a, &b}) {
    EXPECT_EQ(detail::Access::data(*shape).structures.find<bvh::AabbTree>(), nullptr);
    EXPECT_EQ(detail::Access::data(*shape).structures.find<mesh::Topology>(), nullptr);
  }
}

TEST(PathDeadline, EachStageLooksAtTheClock) {
  const Shape ball(scenes::sphere(1, 12, 24)), plate(scenes::box({-2, -2, -1}, {2, 2, 0}));
  const Motion down = falling(), rest = Motion::rest({});
  const TimeSpan range{0, 1};
  const PathPart a(ball, down, range, 1e-3, nullptr), b(plate, rest, range, 1e-3, nullptr);
  PathTask task{{}, range, 1e-6, 1e-9};
  task.options.budget = past();
  const auto none_looked_at = [](const PathPair& pair) { return pair.fuel.ran_out && pair.surfaces.pairs() == 0; };
  const ContactInterval met{.span = {0.3, 0.7}, .certain = true, .first = 0.3, .last = 0.7};
  {
    PathPair pair(a, b, task);
    const auto found = contact_intervals(pair.surfaces, nullptr, {}, range, pair.grain(), pair.fuel);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].span == range && !found[0].decided && !found[0].certain);
    EXPECT_TRUE(none_looked_at(pair));
  }
  {
    PathPair pair(a, b, task);
    const PathInterference found = find_interference(pair, {met});
    EXPECT_TRUE(found.clashes.empty());
    EXPECT_EQ(found.undecided, (std::vector{met.span}));
    EXPECT_TRUE(none_looked_at(pair));
  }
  {
    PathPair pair(a, b, task);
    const double endless = std::numeric_limits<double>::infinity();
    const GapAnswer found = smallest_gap(pair.surfaces, range, 0, endless, 0, pair.finest(), pair.fuel);
    EXPECT_FALSE(found.gap);
    EXPECT_EQ(found.open, (std::vector{range}));
    EXPECT_TRUE(none_looked_at(pair));
  }
  {
    PathPair pair(a, b, task);
    PathPairReport report;
    report.intervals = {met.span};
    measure_depths(pair, report);
    ASSERT_EQ(report.depths.size(), 1u);
    EXPECT_FALSE(report.depths[0]);
    EXPECT_TRUE(none_looked_at(pair));
    name_surfaces(pair, {met}, report);
    EXPECT_TRUE(report.surface_pairs.empty());
    EXPECT_TRUE(none_looked_at(pair));
  }
}

}  // namespace
}  // namespace snug::assembly
