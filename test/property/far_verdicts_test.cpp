#include "scenes/solids.hpp"

#include <snug/check.hpp>
#include <snug/path.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

// Parts so far from the origin that the rounding of their poses grows as large as they are. Offsets and coordinates are fractions that
// doubles hold exactly out there, so every answer is known.

namespace snug {
namespace {

constexpr int k_farthest = 50;  // as a power of two: quarters are still exact
constexpr double k_allowed = 1e-3;

/// b beside a along x, `overlap` into it (or as far apart, if negative). Both are 1 wide along x and begin at 0.
PairReport beside(const Mesh& a, const Mesh& b, double overlap, const Vec3& out, double touch_overlap) {
  const Pose pose_a = translation(out.x, out.y, out.z), pose_b = translation(out.x + 1 - overlap, out.y, out.z);
  return assess(Shape(a), pose_a, Shape(b), pose_b, {.tolerances = {.touch_overlap = touch_overlap}});
}

struct Subject {
  const char* name;
  Mesh mesh;
  double thickness;  ///< see SmallestSize
};
std::array<Subject, 3> subjects() {
  return {{{"cube", scenes::box({0, 0, 0}, {1, 1, 1}), 1.0 / 3},
           {"plate", scenes::box({0, 0, 0}, {1, 64, 64}), 32.0 / 33},
           {"rod", scenes::box({0, 0, 0}, {1, 1, 64}), 32.0 / 65}}};
}

TEST(FarVerdicts, AClashOfPartsWithoutThinFeaturesIsNeverCalledATouchHoweverFarOut) {
  for (const Subject& subject : subjects())
    for (int power = 0; power <= k_farthest; ++power)
      for (const double overlap : {0.25, 0.5, 0.75})
        for (const double touch_overlap : {0.0, k_allowed})
          for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{1, 1, 1}, Vec3{0, -1, 1}}) {
            SCOPED_TRACE(subject.name + (" 2^" + std::to_string(power)) + " overlap " + std::to_string(overlap));
            const PairReport r =
                beside(subject.mesh, subject.mesh, overlap, std::ldexp(1.0, power) * way, touch_overlap);
            EXPECT_GE(r.verdict, Verdict::undecided);
            if (r.resolution < overlap) {
              EXPECT_EQ(r.verdict, Verdict::clash);
            }
            EXPECT_EQ(r.verdict == Verdict::undecided, r.verdict != Verdict::clash);
            if (r.verdict == Verdict::undecided) {
              EXPECT_NE(r.reason.find("rounding of the poses"), std::string::npos);
            }
          }
}

TEST(FarVerdicts, FlushFacesTouchWhileRoundingIsSmallBesideTheParts) {
  bool touched = false, untold = false;
  for (const Subject& subject : subjects())
    for (int power = 0; power <= k_farthest; ++power) {
      SCOPED_TRACE(subject.name + (" 2^" + std::to_string(power)));
      const PairReport r = beside(subject.mesh, subject.mesh, 0, {std::ldexp(1.0, power), 0, 0}, k_allowed);
      const bool small = r.resolution <= std::max(k_allowed, 0.01 * subject.thickness);
      EXPECT_EQ(r.verdict, small ? Verdict::touch : Verdict::undecided) << r.resolution;
      EXPECT_TRUE(r.firm);
      (small ? touched : untold) = true;
    }
  EXPECT_TRUE(touched && untold);
}

TEST(FarVerdicts, AGapWiderThanTheRoundingIsOne) {
  const Mesh cube = scenes::box({0, 0, 0}, {1, 1, 1});
  for (int power = 0; power <= k_farthest; ++power)
    for (const double gap : {0.25, 0.75, 4.0}) {
      SCOPED_TRACE("2^" + std::to_string(power) + " gap " + std::to_string(gap));
      const PairReport r = beside(cube, cube, -gap, {std::ldexp(1.0, power), 0, 0}, k_allowed);
      EXPECT_EQ(r.verdict, gap > r.resolution ? Verdict::clear : Verdict::undecided);
    }
  // Within the touch gap that was asked for they touch, wherever they are.
  const AssessOptions wide{.tolerances = {.touch_gap = 8}};
  const double out = 0x1p49;
  const PairReport r = assess(Shape(cube), translation(out, 0, 0), Shape(cube), translation(out + 5, 0, 0), wide);
  EXPECT_GT(r.resolution, 0.5);
  EXPECT_EQ(r.verdict, Verdict::touch);
}

TEST(FarVerdicts, AWallIsAsThinAsItsMaterial) {
  // A hollow box of 64 with walls of 1: its volume is that of the walls. Both are closed shells of one part.
  MeshInput hollow;
  for (const auto& [lo, hi, inwards] : {std::tuple{0.0, 64.0, false}, {1.0, 63.0, true}}) {
    const Mesh box = scenes::box({lo, lo, lo}, {hi, hi, hi});
    const auto first = static_cast<std::uint32_t>(hollow.vertices.size());
    hollow.vertices.insert(hollow.vertices.end(), box.vertices().begin(), box.vertices().end());
    for (const Index3& t : box.triangles()) {
      const Index3 turned{t[0] + first, t[inwards ? 2 : 1] + first, t[inwards ? 1 : 2] + first};
      hollow.triangles.push_back(turned);
    }
  }
  const Shape walls(Mesh::build(std::move(hollow)).value()), cube(scenes::box({0, 0, 0}, {64, 64, 64}));
  const double out = 0x1p44;  // where poses round by 1/32: a two-thousandth of the box, and a thirtieth of its wall
  const PairReport r = assess(walls, translation(out, 0, 0), cube, translation(out + 64, 0, 0));
  EXPECT_EQ(r.verdict, Verdict::undecided);
  EXPECT_EQ(assess(cube, translation(out, 0, 0), cube, translation(out + 64, 0, 0)).verdict, Verdict::touch);
}

TEST(FarVerdicts, SheetsHaveNoThicknessAndTouchAsFarAsTheyCanBeSeen) {
  MeshInput input;
  input.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  input.triangles = {{0, 1, 2}, {0, 2, 3}};
  const Shape sheet(Mesh::build(std::move(input)).value());
  const auto on_edge = [&](double out) {
    return assess(sheet, translation(out, 0, 0), sheet, translation(out + 1, 0, 0)).verdict;
  };
  EXPECT_EQ(on_edge(1), Verdict::touch);
  EXPECT_EQ(on_edge(0x1p40), Verdict::touch);
  EXPECT_EQ(on_edge(0x1p48), Verdict::undecided);
}

Motion line(const Vec3& from, const Vec3& to) {
  return Motion::make({{0, translation(from.x, from.y, from.z)}, {1, translation(to.x, to.y, to.z)}}, Arc::shorter)
      .value();
}

TEST(FarVerdicts, AClashOnALongPathIsNeverCalledATouch) {
  const Mesh block = scenes::box({-5, -5, -5}, {5, 5, 5}), plate = scenes::box({-50, -50, -1}, {50, 50, 1});
  for (const double length : {1e2, 1e4, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e13}) {
    SCOPED_TRACE(length);
    const auto report = check_path(Shape(block), line({0, 0, length}, {0, 0, -length}), Shape(plate), Motion::rest({}),
                                   {.tolerances = {.touch_overlap = k_allowed}});
    ASSERT_TRUE(report);
    EXPECT_GE(report->verdict, Verdict::undecided);
    if (report->verdict != Verdict::undecided) continue;
    EXPECT_GT(report->resolution, 0.01);  // nothing smaller hides in these parts
    EXPECT_FALSE(report->reason.empty());
    EXPECT_TRUE(report->touch_intervals.empty());
    ASSERT_FALSE(report->undecided.empty());
    EXPECT_LE(report->undecided.front().begin, 0.5);
    EXPECT_GE(report->undecided.back().end, 0.5);
  }
}

TEST(FarVerdicts, PartsAtRestAreNotRoundedByTheMotionOfOthers) {
  Assembly assembly(LengthUnit::millimetre);
  const Mesh cube = scenes::box({0, 0, 0}, {10, 10, 10});
  ASSERT_TRUE(assembly.add({"a", cube, {}}) && assembly.add({"b", cube, translation(10, 0, 0)}) &&
              assembly.add({"c", cube, translation(0, 8, 0)}) && assembly.add({"far", cube, translation(0, 0, 40)}));
  std::vector<Motion> motions;
  for (const Part& part : assembly.parts()) motions.push_back(Motion::rest(part.pose));
  motions[3] = line({0, 0, 40}, {0, 0, 1e11});
  const auto report = check_path(assembly, motions, {.tolerances = {.touch_overlap = k_allowed}});
  ASSERT_TRUE(report);
  EXPECT_GT(report->resolution, 10);
  ASSERT_EQ(report->count_of(Verdict::clash), 1u);  // a and c
  for (const PathFinding& finding : report->findings) {
    if (!finding.at_rest) continue;
    EXPECT_EQ(finding.verdict, finding.b.part == "c" && finding.a.part == "a" ? Verdict::clash : Verdict::touch);
    EXPECT_EQ(finding.overlap, k_allowed);
  }
}

TEST(FarVerdicts, AClashAtRestIsOneHoweverFarAThirdPartFlies) {
  const Mesh cube = scenes::box({0, 0, 0}, {10, 10, 10});
  for (const double length : {1e3, 1e6, 3e7, 1e8, 1e11}) {
    SCOPED_TRACE(length);
    Assembly assembly(LengthUnit::millimetre);
    ASSERT_TRUE(assembly.add({"a", cube, {}}) && assembly.add({"b", cube, translation(9.98, 0, 0)}) &&
                assembly.add({"far", cube, translation(0, 0, 40)}));
    const std::vector<Motion> motions{Motion::rest({}), Motion::rest(translation(9.98, 0, 0)),
                                      line({0, 0, 40}, {0, 0, length})};
    const CheckReport at_rest = check(assembly);
    ASSERT_EQ(at_rest.findings.size(), 1u);
    const PathReport report = check_path(assembly, motions).value();
    // The gravest comes first; the third part may be too far to say what it did at the start.
    ASSERT_FALSE(report.findings.empty());
    const PathFinding& clash = report.findings[0];
    EXPECT_TRUE(clash.at_rest);
    EXPECT_EQ(clash.verdict, Verdict::clash);
    EXPECT_EQ(clash.verdict, at_rest.findings[0].verdict);
    EXPECT_EQ(clash.resolution, at_rest.findings[0].resolution);
    EXPECT_EQ(clash.overlap, touch_overlap_of({}, assembly));
    EXPECT_EQ(report.coverage.complete, report.findings.size() == 1);
    EXPECT_EQ(report.findings.size() == 1, length < 1e10);
  }
}

TEST(FarVerdicts, AGapWithinTheTouchGapIsATouchOnAPathAsItIsAtRest) {
  const Mesh cube = scenes::box({0, 0, 0}, {1, 1, 1});
  const double far = std::ldexp(1.0, 28);
  const Tolerances tolerances{.touch_gap = 8};
  const auto beside_at = [&](double gap, const Budget& budget) {
    return check_path(Shape(cube), Motion::rest(translation(far, 0, 0)), Shape(cube),
                      line({far + 1 + gap, 0, 0}, {far + 1 + gap, 0.5, 0}),
                      {.tolerances = tolerances, .budget = budget})
        .value();
  };
  EXPECT_EQ(
      assess(Shape(cube), translation(far, 0, 0), Shape(cube), translation(far + 6, 0, 0), {.tolerances = tolerances})
          .verdict,
      Verdict::touch);
  const PathPairReport apart = beside_at(5, {});
  EXPECT_EQ(apart.verdict, Verdict::touch) << apart.reason;
  EXPECT_EQ(apart.touch_intervals, (std::vector{TimeSpan{0, 1}}));
  EXPECT_TRUE(apart.reason.empty() && apart.undecided.empty());
  const PathPairReport flush = beside_at(0, {});
  EXPECT_EQ(flush.verdict, Verdict::undecided);
  EXPECT_NE(flush.reason.find("rounding of the poses"), std::string::npos);
  EXPECT_EQ(flush.undecided, (std::vector{TimeSpan{0, 1}}));
  EXPECT_TRUE(flush.touch_intervals.empty());
  // What ran out first is said first.
  const PathPairReport ended = beside_at(5, {.steps = 1});
  EXPECT_EQ(ended.verdict, Verdict::undecided);
  EXPECT_NE(ended.reason.find("budget"), std::string::npos) << ended.reason;
  EXPECT_FALSE(ended.complete);
}

}  // namespace
}  // namespace snug
