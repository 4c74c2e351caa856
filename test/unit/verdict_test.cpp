#include "assembly/verdict/outline.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace snug {
namespace {

Mesh joined(const Mesh& a, const Mesh& b, const Vec3& b_offset) {
  MeshInput in;
  in.vertices.assign(a.vertices().begin(), a.vertices().end());
  in.triangles.assign(a.triangles().begin(), a.triangles().end());
  const auto first = static_cast<std::uint32_t>(in.vertices.size());
  for (const Point3& p : b.vertices()) in.vertices.push_back(p + b_offset);
  for (const Index3& t : b.triangles()) in.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return Mesh::build(std::move(in)).value();
}

TEST(Words, VerdictsAndMethodsReadBackWhatTheyPrint) {
  for (int i = 0; i < 6; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    EXPECT_EQ(parse_verdict(to_string(verdict)), verdict);
  }
  for (const Method method : {Method::surface, Method::brute}) EXPECT_EQ(parse_method(to_string(method)), method);
  EXPECT_FALSE(parse_verdict("Clash"));
  EXPECT_FALSE(parse_method(""));
}

TEST(Assess, TolerancesThatAreNoLengthsAndInvalidPosesAreUndecided) {
  const Shape cube(scenes::box({0, 0, 0}, {1, 1, 1}));
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    for (const Tolerances& tolerances :
         {Tolerances{.clearance = bad}, Tolerances{.touch_gap = bad}, Tolerances{.touch_overlap = bad}}) {
      const PairReport report = assess(cube, {}, cube, translation(9, 0, 0), {.tolerances = tolerances});
      EXPECT_EQ(report.verdict, Verdict::undecided);
      EXPECT_NE(report.reason.find("tolerances"), std::string::npos) << report.reason;
    }
  const PairReport report = assess(cube, {}, cube, translation(NAN, 0, 0));
  EXPECT_EQ(report.verdict, Verdict::undecided);
  EXPECT_NE(report.reason.find("pose"), std::string::npos) << report.reason;
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({"a", cube.mesh(), {}}).value();
  (void)assembly.add({"b", cube.mesh(), translation(9, 0, 0)}).value();
  const CheckReport refused = check(assembly, {.tolerances = {.clearance = NAN}});
  EXPECT_FALSE(refused.refused.empty());
  EXPECT_FALSE(refused.coverage.complete);
  EXPECT_EQ(refused.coverage.undecided, 1U);
  EXPECT_TRUE(check(assembly, {.tolerances = {.clearance = 1}}).refused.empty());
}

TEST(Assess, NamesTheSurfacesThatMeet) {
  const Shape a(scenes::box({0, 0, 0}, {1, 1, 1})), b(scenes::box({0.25, 0.25, 1}, {0.75, 0.75, 2}));
  const PairReport r = assess(a, {}, b, {});
  // The upper box's sides end on the lower one's top.
  const std::vector<std::array<std::uint32_t, 2>> expected{{1, 0}, {1, 2}, {1, 3}, {1, 4}, {1, 5}};
  EXPECT_EQ(r.surface_pairs, expected);
  ASSERT_EQ(r.patches.size(), 1U);
  EXPECT_EQ(r.patches[0].surface_a, 1U);
  EXPECT_EQ(r.patches[0].surface_b, 0U);
  EXPECT_EQ(r.patches[0].normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(assess(b, {}, a, {}).patches[0].normal, (Vec3{0, 0, -1}));
}

TEST(Assess, NearPartsNameTheirClosestSurfaces) {
  const Shape a(scenes::box({0, 0, 0}, {1, 1, 1})), b(scenes::box({1.5, 0.25, 0.25}, {2, 0.75, 0.75}));
  const PairReport r = assess(a, {}, b, {}, {.tolerances = {.clearance = 1}});
  EXPECT_EQ(r.verdict, Verdict::near);
  const std::vector<std::array<std::uint32_t, 2>> expected{{5, 4}};
  EXPECT_EQ(r.surface_pairs, expected);
  EXPECT_EQ(*r.gap, 0.5);
  EXPECT_EQ(r.point->x, 1.25);
}

TEST(Assess, AClearanceIsABoundThatIsNotReached) {
  const Shape a(scenes::box({0, 0, 0}, {1, 1, 1})), b(scenes::box({1.5, 0, 0}, {2, 1, 1}));
  EXPECT_EQ(assess(a, {}, b, {}, {.tolerances = {.clearance = 0.5}}).verdict, Verdict::clear);
  EXPECT_EQ(assess(a, {}, b, {}, {.tolerances = {.touch_gap = 0.5}}).verdict, Verdict::touch);
  EXPECT_EQ(assess(a, {}, b, {}, {.tolerances = {.touch_gap = 0.499}}).verdict, Verdict::clear);
}

TEST(Assess, APipeOnAPlateTouchesInARing) {
  const Shape plate(scenes::box({-2, -2, -1}, {2, 2, 0})), pipe(scenes::pipe(1, 0.5, 1, 16));
  const PairReport r = assess(plate, {}, pipe, {});
  ASSERT_EQ(r.verdict, Verdict::touch);
  ASSERT_EQ(r.patches.size(), 1U);
  const double area = 8 * (1 - 0.25) * std::sin(3.14159265358979323846 / 8);
  EXPECT_NEAR(r.patches[0].area, area, 1e-12);
  ASSERT_EQ(r.patches[0].loops.size(), 2U);
  double signed_area = 0;
  for (const auto& loop : r.patches[0].loops) {
    EXPECT_EQ(loop.size(), 16U);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Point3 &p = loop[i], &q = loop[(i + 1) % loop.size()];
      signed_area += (p.x * q.y - p.y * q.x) / 2;
    }
  }
  // The outer loop counter-clockwise about the normal, the hole the other way round.
  EXPECT_NEAR(signed_area * r.patches[0].normal.z, area, 1e-12);
}

TEST(Assess, ShellsThatOverlapTheirOwnPartHaveNoVolumeToShare) {
  const Mesh cube = scenes::box({0, 0, 0}, {1, 1, 1});
  const Shape other(scenes::box({0.5, 0.5, 0.5}, {3, 3, 3}));
  EXPECT_FALSE(assess(Shape(joined(cube, cube, {0.5, 0.25, 0.25})), {}, other, {}).volume);
  EXPECT_FALSE(assess(Shape(joined(scenes::box({-1, -1, -1}, {2, 2, 2}), cube, {})), {}, other, {}).volume);
  const PairReport apart = assess(Shape(joined(cube, cube, {1.5, 0.25, 0.25})), {}, other, {});
  ASSERT_TRUE(apart.volume);
  EXPECT_NEAR(apart.volume->value, 0.125 + 0.75 * 0.75, 1e-12);
}

TEST(Assess, EscapeMovesBOutAndNotA) {
  const Shape a(scenes::box({0, 0, 0}, {4, 4, 4})), b(scenes::box({3, 1, 1}, {7, 2, 2}));
  const PairReport r = assess(a, {}, b, {});
  ASSERT_TRUE(r.depth);
  EXPECT_EQ(r.depth->escape, (Vec3{1, 0, 0}));
  EXPECT_EQ(assess(b, {}, a, {}).depth->escape, (Vec3{-1, 0, 0}));
  EXPECT_NEAR(r.depth->lower, 1, 1e-6);
}

TEST(Assess, ThePinInItsBushHasBounds) {
  // An interference of 0.1 all around, 2 long: as thick as that, and out along the axis.
  const Shape bush(scenes::pipe(2, 1, 2, 32)), pin(scenes::cylinder(1.1, 2, 32));
  const PairReport r = assess(bush, {}, pin, translation(0, 0, 0.25));
  ASSERT_EQ(r.verdict, Verdict::clash);
  EXPECT_GT(r.depth->lower, 0.09);
  EXPECT_LT(r.depth->lower, 0.11);
  EXPECT_NEAR(r.depth->upper, 1.75, 1e-9);
  const auto with = [&](double overlap) {
    return assess(bush, {}, pin, translation(0, 0, 0.25), {.tolerances = {.touch_overlap = overlap}});
  };
  // Proved to be no thicker: forgiven, and still reported.
  const PairReport forgiven = with(0.5);
  EXPECT_EQ(forgiven.verdict, Verdict::touch);
  ASSERT_TRUE(forgiven.depth);
  EXPECT_EQ(forgiven.depth->upper, r.depth->upper);
  EXPECT_EQ(forgiven.depth->lower, r.depth->lower);
  // Nothing thicker was found, but nothing proves that there is nothing.
  const PairReport narrowly = with(0.101);
  EXPECT_EQ(narrowly.verdict, Verdict::undecided);
  EXPECT_NE(narrowly.reason.find("between the bounds of the overlap's thickness"), std::string::npos)
      << narrowly.reason;
  ASSERT_TRUE(narrowly.depth && narrowly.depth->thickness_bound);
  EXPECT_GT(*narrowly.depth->thickness_bound, 0.101);
  EXPECT_LT(*narrowly.depth->thickness_bound, 0.5);
}

TEST(Assess, ContainedKeepsADistanceOfTheResolution) {
  const Shape outer(scenes::box({0, 0, 0}, {1, 1, 1}));
  const auto from = [&](double x) { return assess(outer, {}, Shape(scenes::box({x, .25, .25}, {.5, .75, .75})), {}); };
  const double noise = from(0.25).resolution;
  EXPECT_EQ(from(0.5 * noise).verdict, Verdict::clash);
  EXPECT_EQ(from(0).verdict, Verdict::clash);
  EXPECT_EQ(from(4 * noise).verdict, Verdict::contained);
}

TEST(Assess, ForgivenOverlapsAreStillTold) {
  const Shape a(scenes::box({0, 0, 0}, {1, 1, 1})), b(scenes::box({0.25, 0.25, 0.75}, {0.5, 0.5, 2}));
  const PairReport r = assess(a, {}, b, {}, {.tolerances = {.touch_overlap = 0.5}});
  ASSERT_EQ(r.verdict, Verdict::touch);
  ASSERT_TRUE(r.depth && r.volume);
  EXPECT_EQ(r.depth->upper, 0.25);
  EXPECT_NEAR(r.volume->value, 0.015625, 1e-12);
  EXPECT_FALSE(assess(a, {}, Shape(scenes::box({0.25, 0.25, 1}, {0.5, 0.5, 2})), {}).depth);
}

TEST(Assess, InsideOutBodiesAreJudgedAlike) {
  const Mesh cube = scenes::box({0, 0, 0}, {1, 1, 1});
  MeshInput in;
  in.vertices.assign(cube.vertices().begin(), cube.vertices().end());
  for (const Index3& t : cube.triangles()) in.triangles.push_back({t[0], t[2], t[1]});
  const Shape reversed(Mesh::build(std::move(in)).value()), other(scenes::box({0.5, 0, 0}, {2, 1, 1}));
  const PairReport r = assess(reversed, {}, other, {});
  EXPECT_EQ(r.verdict, Verdict::clash);
  EXPECT_NEAR(r.volume->value, 0.5, 1e-12);
  EXPECT_EQ(r.depth->upper, 0.5);
}

TEST(Assess, CoincidentSheetsAreDuplicatesThatTouch) {
  MeshInput in;
  in.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  in.triangles = {{0, 1, 2}};
  const Shape sheet(Mesh::build(in).value());
  const PairReport r = assess(sheet, {}, sheet, {});
  EXPECT_EQ(r.verdict, Verdict::touch);
  EXPECT_TRUE(r.duplicate);
  EXPECT_FALSE(assess(sheet, {}, sheet, translation(0.5, 0, 0)).duplicate);
}

TEST(Outline, JoinsPiecesAndDropsStraightCorners) {
  // Two squares side by side, one of them with an extra corner on the seam.
  const std::vector<assembly::Loop> pieces{{{0, 0, 0}, {1, 0, 0}, {1, 0.5, 0}, {1, 1, 0}, {0, 1, 0}},
                                           {{1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}}};
  const auto loops = assembly::outline(pieces, 1e-9);
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0].size(), 4U);
}

/// Two corners may be the same but for a rounding.
void add_box(MeshInput& to, const Point3& lo, const Point3& hi) {
  const auto first = static_cast<std::uint32_t>(to.vertices.size());
  for (int i = 0; i < 8; ++i)
    to.vertices.push_back({(i & 1) != 0 ? hi.x : lo.x, (i & 2) != 0 ? hi.y : lo.y, (i & 4) != 0 ? hi.z : lo.z});
  for (const Index3& t : {Index3{0, 2, 1},
                          {1, 2, 3},
                          {4, 5, 6},
                          {5, 7, 6},
                          {0, 1, 4},
                          {1, 5, 4},
                          {2, 6, 3},
                          {3, 6, 7},
                          {0, 4, 2},
                          {2, 4, 6},
                          {1, 3, 5},
                          {3, 7, 5}})
    to.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

TEST(Check, CoordinatesHundredsOfOrdersApartHaveAVerdict) {
  MeshInput wide, pieces;
  add_box(wide, {0, -1e-9, 0}, {1e150, 1.9999999989999999, 1e-9});
  add_box(pieces, {-5e-324, 2, 1e-9}, {2, 1000000002, 0.38570786273096341});
  add_box(pieces, {1e-200, -1e150, 5e-324}, {1.0502120878982926, 1e299, 1e9});
  add_box(pieces, {0.24408286343228758, -1e-9, 0.27493495628816678},
          {1000000000.2440828, -9.9999999999000007e-10, 1e150});
  const Quaternion turn{-0.45941869031881555, -0.43370734013322232, -0.64835200733851939, -0.42482006153243529};
  Assembly assembly(LengthUnit::millimetre);
  EXPECT_TRUE(assembly.add({"wide", Mesh::build(std::move(wide)).value(), Pose::make(turn, {}).value()}));
  EXPECT_TRUE(assembly.add({"pieces", Mesh::build(std::move(pieces)).value(), {}}));
  const CheckReport report =
      check(assembly, {.tolerances = {.clearance = 1e150, .touch_gap = 1.9572, .touch_overlap = 1}});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_GE(report.findings[0].verdict, Verdict::near);
}

TEST(Check, IdsSurviveChangesOfTheGeometry) {
  const auto id_of = [](double depth) {
    Assembly assembly(LengthUnit::millimetre);
    EXPECT_TRUE(assembly.add({"lid", scenes::box({0, 0, 0}, {1, 1, 1}), {}}));
    EXPECT_TRUE(assembly.add({"case", scenes::box({0, 0, 1 - depth}, {1, 1, 2}), {}}));
    const CheckReport report = check(assembly);
    EXPECT_EQ(report.findings.size(), 1U);
    EXPECT_EQ(report.findings[0].a.part, "case");
    EXPECT_EQ(report.findings[0].a.id, 1U);
    return report.findings[0].id;
  };
  EXPECT_EQ(id_of(0.25), id_of(0.5));
  EXPECT_EQ(id_of(0.25).size(), 16U);
}

}  // namespace
}  // namespace snug
