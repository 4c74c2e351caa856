// What parts do along whole paths, where the answer is known.

#include "scenes/scene.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

namespace snug {
namespace {

Motion moving(std::vector<PoseKey> keys) { return Motion::make(std::move(keys), Arc::shorter).value(); }
Motion line(const Vec3& from, const Vec3& to) {
  return moving({{0, translation(from.x, from.y, from.z)}, {1, translation(to.x, to.y, to.z)}});
}
PathPairReport walk(const Mesh& a, const Motion& motion_a, const Mesh& b, const Motion& motion_b,
                    const PathOptions& options = {}) {
  return check_path(Shape(a), motion_a, Shape(b), motion_b, options).value();
}

void expect_span(const std::vector<TimeSpan>& spans, double begin, double end, double within) {
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_NEAR(spans[0].begin, begin, within);
  EXPECT_NEAR(spans[0].end, end, within);
  EXPECT_LE(spans[0].begin, begin);
  EXPECT_GE(spans[0].end, end);
}

/// A box from -1 to 1 in x and y, as high as told, on z = 0.
Mesh block(double height) { return scenes::box({-1, -1, 0}, {1, 1, height}); }
const Mesh& floor_plate() {
  static const Mesh mesh = scenes::box({-10, -10, -1}, {10, 10, 0});
  return mesh;
}

TEST(Path, ABlockThatFallsThroughAPlateClashesFromItsFirstToItsLastContact) {
  // Its foot comes down from 4 to -6: it enters at 0.4; its top, one higher, leaves z = -1 at 0.6.
  const auto report = walk(block(1), line({0, 0, 4}, {0, 0, -6}), floor_plate(), Motion::rest({}));
  EXPECT_EQ(report.verdict, Verdict::clash);
  expect_span(report.intervals, 0.4, 0.6, 2e-6);
  ASSERT_TRUE(report.first_contact);
  EXPECT_LE(report.first_contact->t_lo, 0.4);
  EXPECT_GE(report.first_contact->t_hi, 0.4 - 1e-9);  // within the touch gap it touches a little sooner
  EXPECT_LE(report.first_contact->t_hi - report.first_contact->t_lo, 2e-6);
  EXPECT_TRUE(report.undecided.empty());
  EXPECT_TRUE(report.shown_at && report.intervals[0].contains(*report.shown_at));
  EXPECT_FALSE(report.surface_pairs.empty());
  for (const SurfaceMeeting& pair : report.surface_pairs)
    for (const TimeSpan& span : pair.intervals) EXPECT_TRUE(span.begin >= 0.4 - 2e-6 && span.end <= 0.6 + 2e-6);
}

TEST(Path, ALidThatIsLiftedOffTouchesOnlyAtTheStart) {
  const auto report = walk(block(1), line({0, 0, 0}, {0, 0, 5}), floor_plate(), Motion::rest({}));
  EXPECT_EQ(report.verdict, Verdict::touch);
  expect_span(report.touch_intervals, 0, 0, 2e-6);
  EXPECT_TRUE(report.intervals.empty() && report.undecided.empty());
}

TEST(Path, WhatSlidesFlushTouchesAllTheWayAndNeverClashes) {
  const auto tilts = test::cube_rotations();
  std::vector<Pose> frames{Pose{}, tilts[5], compose(translation(0.3, 7, -2), rotation({1, 2, 3}, 0.7))};
  for (std::size_t i = 0; i < frames.size(); ++i) {
    SCOPED_TRACE(i);
    const Motion slide = placed(frames[i], line({-5, 1, 0}, {5, -2, 0}));
    const auto report = walk(block(1), slide, floor_plate(), Motion::rest(frames[i]));
    EXPECT_EQ(report.verdict, Verdict::touch) << report.reason;
    expect_span(report.touch_intervals, 0, 1, 1e-12);
    EXPECT_LT(report.pieces, 3000u);
  }
}

TEST(Path, ALidThatSwivelsFlushTouchesAndNeverClashes) {
  const Pose frame = compose(translation(3, 1, 2), rotation({1, -1, 0.5}, 1.1));
  const Motion swivel = placed(
      frame,
      moving({{0, Pose{}}, {1, rotation({0, 0, 1}, 1.5)}, {2, rotation({0, 0, 1}, 3)}, {3, translation(0, 0, 1)}}));
  const auto report = walk(block(1), swivel, floor_plate(), Motion::rest(frame), {.range = TimeSpan{0, 2}});
  EXPECT_EQ(report.verdict, Verdict::touch) << report.reason;
  expect_span(report.touch_intervals, 0, 2, 1e-12);
}

TEST(Path, APinThatSlidesInABoreOfItsSizeTouchesAndNeverClashes) {
  const Mesh bush = scenes::pipe(3, 1, 4, 16), pin = scenes::cylinder(1, 8, 16);
  const Pose frame = compose(translation(1, 2, 3), rotation({2, 1, 5}, 0.4));
  for (const Pose& at : {Pose{}, frame}) {
    const auto report =
        walk(pin, placed(at, line({0, 0, -20}, {0, 0, 20})), bush, Motion::rest(at), {.surfaces = false});
    EXPECT_EQ(report.verdict, Verdict::touch) << report.reason;
    expect_span(report.touch_intervals, 12.0 / 40, 24.0 / 40, 3e-6);  // its top reaches z = 0, its foot leaves z = 4
  }
}

TEST(Path, ABoardInASlotOfItsThicknessTouchesAndNeverClashes) {
  const Mesh left = scenes::box({0, 0, 0}, {1, 20, 5}), right = scenes::box({1.5, 0, 0}, {2.5, 20, 5});
  const Mesh board = scenes::box({1, 0, 0}, {1.5, 20, 5});
  Assembly assembly(LengthUnit::millimetre);
  std::vector<Motion> motions;
  const Pose frame = rotation({3, 1, 2}, 2.1);
  for (const auto& [name, mesh] : {std::pair{"rail left", &left}, {"rail right", &right}, {"board", &board}}) {
    ASSERT_TRUE(assembly.add({name, *mesh, frame}));
    motions.push_back(name == std::string("board") ? placed(frame, line({0, 0, 0}, {0, 0, 20})) : Motion::rest(frame));
  }
  const PathReport report = check_path(assembly, motions).value();
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_TRUE(report.coverage.complete);
  for (const PathFinding& finding : report.findings) {
    EXPECT_EQ(finding.verdict, Verdict::touch) << finding.reason;
    EXPECT_EQ(finding.a.part, "board");
    expect_span(finding.touch_intervals, 0, 0.25, 2e-6);
  }
}

TEST(Path, WhatSlidesATenthTooDeepClashesAllTheWay) {
  const auto report = walk(block(1), line({-5, 1, -0.1}, {5, -2, -0.1}), floor_plate(), Motion::rest({}));
  EXPECT_EQ(report.verdict, Verdict::clash);
  expect_span(report.intervals, 0, 1, 0);
  EXPECT_LT(report.pieces, 3000u);
  const auto forgiven = walk(block(1), line({-5, 1, -0.1}, {5, -2, -0.1}), floor_plate(), Motion::rest({}),
                             {.tolerances = {.touch_overlap = 0.3}, .surfaces = false});
  EXPECT_EQ(forgiven.verdict, Verdict::touch) << forgiven.reason;
}

TEST(Path, WallsThatShareThreePlanesAndRunIntoEachOtherClash) {
  // No two of their triangles ever cross.
  const Mesh wall = scenes::box({0, 0, 0}, {4, 1, 2});
  const auto report = walk(wall, line({0, 0, 0}, {10, 0, 0}), wall, Motion::rest(translation(5, 0, 0)));
  EXPECT_EQ(report.verdict, Verdict::clash);
  expect_span(report.intervals, 0.1, 0.9, 2e-6);
}

TEST(Path, APartThatEndsUpInsideAnotherClashesOnFromTheWall) {
  const Mesh big = scenes::box({-5, -5, -5}, {5, 5, 5}), small = scenes::sphere(1, 8, 12);
  const auto report = walk(small, line({0, 0, 20}, {0, 0, 0}), big, Motion::rest({}));
  EXPECT_EQ(report.verdict, Verdict::clash);
  expect_span(report.intervals, 0.7, 1, 2e-6);
  const auto always = walk(small, line({0, 0, 1}, {0, 0, -1}), big, Motion::rest({}));
  EXPECT_EQ(always.verdict, Verdict::contained);
  expect_span(always.intervals, 0, 1, 0);
}

/// A square without thickness in z = 0.
Mesh sheet(double half) {
  MeshInput input;
  input.vertices = {{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}};
  input.triangles = {{0, 1, 2}, {0, 2, 3}};
  return Mesh::build(std::move(input)).value();
}

TEST(Path, SheetsThatSlideTouchAndSheetsThatCutClash) {
  const Motion rest = Motion::rest({});
  const auto on_block = walk(sheet(0.5), line({-3, 0, 1}, {3, 0.2, 1}), block(1), rest);
  EXPECT_EQ(on_block.verdict, Verdict::touch) << on_block.reason;
  expect_span(on_block.touch_intervals, 0.25, 0.75, 2e-6);
  const auto on_sheet = walk(sheet(1), line({-3, 0, 0}, {3, 0.1, 0}), sheet(1.5), rest);
  EXPECT_EQ(on_sheet.verdict, Verdict::touch) << on_sheet.reason;
  expect_span(on_sheet.touch_intervals, 0.5 / 6, 5.5 / 6, 2e-6);
  const auto through = walk(sheet(3), line({0.1, 0.2, 5}, {0, 0, -5}), block(1), rest);
  EXPECT_EQ(through.verdict, Verdict::clash);
  expect_span(through.intervals, 0.4, 0.5, 2e-6);
}

TEST(Path, ABallOfTrianglesThatRollsTouchesWithEachCorner) {
  const Motion roll = moving({{0, translation(0, 0, 1)}, {1, compose(translation(1, 0, 1), rotation({0, 1, 0}, 1))}});
  const auto report = walk(scenes::sphere(1, 16, 32), roll, floor_plate(), Motion::rest({}), {.surfaces = false});
  EXPECT_EQ(report.verdict, Verdict::touch) << report.reason;
  ASSERT_EQ(report.touch_intervals.size(), 6u);  // every sixteenth of half a turn
  for (std::size_t i = 1; i < 6; ++i)
    EXPECT_TRUE(report.touch_intervals[i].contains(3.14159265358979 / 16 * static_cast<double>(i)));
}

TEST(Path, NothingIsTooFast) {
  // A hundred turns of a rod in one second; a foil of a thousandth stands in its way for 1/12 of each turn or so.
  const Mesh rod = scenes::box({-0.05, -0.05, -0.05}, {5, 0.05, 0.05});
  const Mesh foil = scenes::box({4, -0.0005, -1}, {4.5, 0.0005, 1});
  std::vector<PoseKey> keys;
  for (int i = 0; i <= 30; ++i) keys.push_back({i / 30.0, rotation({0, 0, 1}, 0.5 + i * 2.0)});
  const auto report = walk(rod, moving(keys), foil, Motion::rest({}), {.surfaces = false});
  EXPECT_EQ(report.verdict, Verdict::clash);
  EXPECT_EQ(report.intervals.size(), 9u);  // 60 radians
  for (const TimeSpan& span : report.intervals) {
    // 0.05 to either side at a radius of 4 and more, at 60 radians a second.
    EXPECT_GT(span.length(), 2 * 0.05 / 4.5 / 60);
    EXPECT_LT(span.length(), 2 * 0.0506 / 4 / 60 + 2e-6);
  }
}

TEST(Path, TheSceneOfTheThinPlateIsToldToTheTolerance) {
  const scenes::Scene scene = scenes::find("thin-plate")->make({});
  const PathReport report =
      check_path(scene.assembly, scenes::world_motions(scene), {.tolerances = {.touch_overlap = 0}}).value();
  ASSERT_EQ(report.findings.size(), scene.meetings.size());
  EXPECT_EQ(report.findings[0].a.part, scene.meetings[0].a);
  expect_span(report.findings[0].intervals, scene.meetings[0].begin, scene.meetings[0].end, 2 * report.time_tolerance);
}

TEST(Path, PartsThatMoveTogetherAreDecidedOnce) {
  const Motion lift = line({0, 0, 0}, {3, 2, 1});
  const auto report = walk(block(1), lift, scenes::box({-1, -1, -2}, {1, 1, 0}), lift);
  EXPECT_TRUE(report.at_rest);
  EXPECT_EQ(report.verdict, Verdict::touch);
  expect_span(report.touch_intervals, 0, 1, 0);
  // About one origin they may turn as well.
  std::vector<PoseKey> keys;
  for (int i = 0; i <= 10; ++i) keys.push_back({i * 0.1, compose(translation(i, 0, 0), rotation({1, 2, 3}, i * 0.7))});
  const auto turning = walk(block(1), moving(keys), scenes::box({-1, -1, -2}, {1, 1, 0}), moving(keys));
  EXPECT_TRUE(turning.at_rest);
  EXPECT_EQ(turning.verdict, Verdict::touch);
}

TEST(Path, TwoThatMoveAtOnceMeetWhereTheirWaysDo) {
  const Mesh ball = scenes::sphere(1, 8, 16);  // with corners on the x axis
  const auto report = walk(ball, line({-10, 0, 0}, {10, 0, 0}), ball, line({10, 0, 0}, {-10, 0, 0}));
  EXPECT_EQ(report.verdict, Verdict::clash);
  expect_span(report.intervals, 0.45, 0.55, 2e-6);
}

TEST(Path, CostGrowsWithTheWayAndNotWithItsKeys) {
  const Mesh ring = scenes::torus(3, 1, 14, 8), ball = scenes::sphere(1, 6, 10);
  const auto way = [](int keys) {
    std::vector<PoseKey> out;
    for (int i = 0; i <= keys; ++i) {
      const double t = static_cast<double>(i) / keys;
      out.push_back({t, compose(translation(-8 + 16 * t, 0.3, 0.2), rotation({1, 0.2, 0}, 1.5 * t))});
    }
    return moving(out);
  };
  const auto few = walk(ball, way(2), ring, Motion::rest({}), {.surfaces = false});
  const auto many = walk(ball, way(1000), ring, Motion::rest({}), {.surfaces = false});
  EXPECT_LT(many.pieces, few.pieces + few.pieces / 2);
  ASSERT_EQ(many.intervals.size(), few.intervals.size());
  for (std::size_t i = 0; i < few.intervals.size(); ++i) {
    EXPECT_NEAR(many.intervals[i].begin, few.intervals[i].begin, 3e-6);
    EXPECT_NEAR(many.intervals[i].end, few.intervals[i].end, 3e-6);
  }
}

TEST(Path, TheSmallestGapAndItsTimeAreFound) {
  const Mesh ball = scenes::sphere(1, 16, 32);
  const Motion past = line({-10, 2.5, 0}, {10, 2.5, 0});
  const auto report = walk(ball, past, ball, Motion::rest({}), {.tolerances = {.clearance = 1}});
  EXPECT_EQ(report.verdict, Verdict::near);
  ASSERT_TRUE(report.smallest_gap);
  EXPECT_NEAR(report.smallest_gap->value, 0.5, 1e-4);  // corners on the y axis
  EXPECT_LE(report.smallest_gap->lower, 0.5);
  EXPECT_GE(report.smallest_gap->lower, 0.5 * (1 - 3e-4));
  EXPECT_NEAR(report.smallest_gap->t, 0.5, 0.01);
  EXPECT_EQ(walk(ball, past, ball, Motion::rest({}), {.tolerances = {.clearance = 0.49}}).verdict, Verdict::clear);
  EXPECT_FALSE(walk(ball, past, ball, Motion::rest({})).smallest_gap);
  const auto all = walk(ball, past, ball, Motion::rest({}), {.all_gaps = true});
  EXPECT_EQ(all.verdict, Verdict::clear);
  ASSERT_TRUE(all.smallest_gap);
  EXPECT_NEAR(all.smallest_gap->value, 0.5, 1e-4);
}

/// Two cubes pass each other at a gap, closest for a short while.
PathPairReport pass_by(double gap, const PathOptions& options) {
  const Mesh cube = scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
  return walk(cube, line({-53, 1 + gap, 0}, {47, 1 + gap, 0}), cube, Motion::rest({}), options);
}

TEST(Path, AGapIsBelowTheClearanceOrNotHoweverLittle) {
  for (const bool all_gaps : {false, true}) {
    const auto verdict = [&](double gap) {
      const auto report = pass_by(gap, {.tolerances = {.clearance = 0.2}, .all_gaps = all_gaps});
      EXPECT_LT(report.pieces, 1000u);
      EXPECT_TRUE(report.undecided.empty()) << report.reason;
      EXPECT_LE(report.smallest_gap ? report.smallest_gap->lower : 0, gap + 1e-14);
      EXPECT_EQ(report.smallest_gap.has_value(), all_gaps || report.verdict == Verdict::near);
      return report.verdict;
    };
    for (const double share : {1e-3, 5e-5, 1e-6, 1e-9, 1e-12}) {
      SCOPED_TRACE(share);
      EXPECT_EQ(verdict(0.2 * (1 - share)), Verdict::near);
      if (share < 1e-6) continue;
      EXPECT_EQ(verdict(0.2 * (1 + share)), Verdict::clear);
    }
    EXPECT_EQ(verdict(0.2), Verdict::near);  // neither is to be told in rounded numbers
    EXPECT_EQ(verdict(0.2 + 3 * pass_by(1, {}).resolution), Verdict::clear);
  }
}

TEST(Path, WhatABudgetLeavesOpenBelowTheClearanceIsUndecided) {
  int undecided = 0;
  for (const std::uint32_t budget : {1u, 2u, 3u, 5u, 8u, 12u, 20u, 200'000u}) {
    SCOPED_TRACE(budget);
    const auto report = pass_by(0.1, {.tolerances = {.clearance = 0.2}, .budget = {.steps = budget}});
    if (report.verdict == Verdict::near) continue;
    EXPECT_EQ(report.verdict, Verdict::undecided);
    EXPECT_NE(report.reason.find("budget"), std::string::npos);
    EXPECT_TRUE(std::ranges::any_of(report.undecided, [](const TimeSpan& span) { return span.contains(0.53); }));
    EXPECT_TRUE(report.shown_at);
    ++undecided;
  }
  EXPECT_GT(undecided, 0);
  EXPECT_LT(undecided, 8);  // with the last one it is told
}

TEST(Path, AGapThatABudgetLeavesUnprovedIsNotComplete) {
  Assembly assembly(LengthUnit::millimetre);
  const Mesh cube = scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
  ASSERT_TRUE(assembly.add({"moving", cube, {}}) && assembly.add({"resting", cube, {}}));
  const std::vector<Motion> motions{line({-53, 1.15, 0}, {47, 1.15, 0}), Motion::rest({})};
  int open = 0, proved = 0;
  for (const std::uint32_t steps : {1u, 2u, 4u, 8u, 12u, 16u, 20u, 24u, 200'000u}) {
    SCOPED_TRACE(steps);
    const PathReport report = check_path(assembly, motions, {.all_gaps = true, .budget = {.steps = steps}}).value();
    if (!report.findings.empty()) {
      EXPECT_FALSE(report.coverage.complete);
      continue;
    }
    ASSERT_EQ(report.gaps.size(), 1u);
    const bool is_proved = report.gaps[0].gap.lower > 0.149;
    EXPECT_EQ(report.coverage.complete, is_proved);
    ++(is_proved ? proved : open);
  }
  EXPECT_GT(open, 0);
  EXPECT_GT(proved, 0);
}

TEST(Path, NothingIsClearOnceCancelled) {
  CancelToken cancel;
  cancel.cancel();
  const auto pair =
      walk(block(1), line({0, 0, 4}, {0, 0, -6}), floor_plate(), Motion::rest({}), {.budget = {.cancel = &cancel}});
  EXPECT_EQ(pair.verdict, Verdict::undecided);
  expect_span(pair.undecided, 0, 1, 0);
  Assembly assembly(LengthUnit::millimetre);
  ASSERT_TRUE(assembly.add({"block", block(1), {}}));
  ASSERT_TRUE(assembly.add({"plate", floor_plate(), {}}));
  const std::vector<Motion> motions{line({0, 0, 4}, {0, 0, -6}), Motion::rest({})};
  const PathReport report = check_path(assembly, motions, {.budget = {.cancel = &cancel}}).value();
  EXPECT_TRUE(report.cancelled);
  EXPECT_FALSE(report.coverage.complete);
  EXPECT_EQ(report.coverage.pairs_unfinished, 1u);
  EXPECT_TRUE(report.findings.empty());
  std::vector<double> told;
  const PathReport whole =
      check_path(assembly, motions, {.progress = [&](double share) { told.push_back(share); }}).value();
  EXPECT_TRUE(whole.coverage.complete);
  EXPECT_TRUE(std::ranges::is_sorted(told));
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front(), 0);
  EXPECT_EQ(told.back(), 1);
}

TEST(Path, WhatABudgetLeavesOpenIsUndecided) {
  const auto report = walk(scenes::torus(3, 1, 8, 6), line({0, 0, 9}, {0, 0, -9}), scenes::torus(3.1, 1, 8, 6),
                           Motion::rest({}), {.budget = {.steps = 10}});
  EXPECT_FALSE(report.undecided.empty());
  EXPECT_GE(report.verdict, Verdict::undecided);
  EXPECT_FALSE(report.reason.empty());
}

TEST(Path, AnyFiniteToleranceIsOne) {
  // Open sheets that cross: they are shifted by the touch overlap.
  MeshInput flat;
  flat.vertices = {{-0.2, -0.2, 0}, {0.2, -0.2, 0}, {0, 0.2, 0}};
  flat.triangles = {{0, 1, 2}};
  const Mesh sheet = Mesh::build(std::move(flat)).value();
  const Motion across = line({0, 0, -1}, {0, 0, 1}), upright = Motion::rest(rotation({1, 0, 0}, 1.5));
  for (const double length : {1e-310, 1e30, 1e200, 1.7e308}) {
    SCOPED_TRACE(length);
    EXPECT_LE(walk(sheet, across, sheet, upright, {.tolerances = {.touch_overlap = length}}).verdict, Verdict::clash);
    EXPECT_GE(walk(sheet, across, sheet, upright, {.tolerances = {.touch_gap = length}}).verdict, Verdict::touch);
    EXPECT_GE(walk(sheet, across, sheet, upright, {.tolerances = {.clearance = length}}).verdict, Verdict::near);
    EXPECT_GE(walk(block(1), across, sheet, upright, {.tolerances = {.touch_overlap = length}}).verdict, Verdict::near);
  }
}

TEST(Path, WhatMakesNoSenseIsRefused) {
  const Shape shape(block(1));
  const Motion rest = Motion::rest({}), way = line({0, 0, 0}, {1, 0, 0});
  const auto code = [&](const PathOptions& options) {
    return check_path(shape, way, shape, rest, options).error().code;
  };
  const double nan = std::nan("");
  EXPECT_EQ(code({.tolerances = {.clearance = -1}}), PathError::Code::bad_length);
  EXPECT_EQ(code({.tolerances = {.touch_gap = nan}}), PathError::Code::bad_length);
  EXPECT_EQ(code({.time_tolerance = -1}), PathError::Code::bad_tolerance);
  EXPECT_EQ(code({.range = TimeSpan{1, 0}}), PathError::Code::bad_range);
  EXPECT_EQ(code({.range = TimeSpan{nan, 0}}), PathError::Code::bad_range);
  const Motion far = line({0, 0, 0}, {0x1p500, 0, 0});
  EXPECT_EQ(check_path(shape, far, shape, rest).error().code, PathError::Code::bad_coordinate);
  Assembly assembly(LengthUnit::millimetre);
  EXPECT_EQ(check_path(assembly, std::vector{rest}).error().code, PathError::Code::motion_count);
  EXPECT_FALSE(check_path(assembly, std::span<const Motion>{}).value().coverage.complete);
  EXPECT_FALSE(PathError{PathError::Code::bad_range}.message().empty());
}

}  // namespace
}  // namespace snug
