// What separates a firm verdict from one that is not: each test here stands on one condition of the code, and falls with it.
#include "scenes/solids.hpp"
#include "support.hpp"
#include "unit/firmness_parts.hpp"

#include <snug/solid.hpp>
#include <snug/verdict.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace snug {
namespace {

using test::chord_sag;
using test::input_of;
using test::turned;
using test::with_sag;

/// A box whose faces have sags of their own, in the order of its surfaces.
Mesh box_with_sags(const Point3& lo, const Point3& hi, const std::array<double, 6>& sags) {
  MeshInput in = input_of(scenes::box(lo, hi));
  for (std::size_t s = 0; s < 6; ++s) in.surfaces[s].sag = {sags[s], false}, in.surfaces[s].tolerance = 1e-9;
  return Mesh::build(std::move(in)).value();
}

/// The surface of a box whose normal is along an axis.
std::size_t side_of(const Mesh& box, std::size_t axis, double level) {
  for (std::uint32_t s = 0; s < 6; ++s) {
    const Index3 t = box.triangles()[box.triangles_of(s)[0]];
    const auto height = [&](std::uint32_t v) {
      const Point3& p = box.vertices()[v];
      return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    };
    if (height(t[0]) == level && height(t[1]) == level && height(t[2]) == level) return s;
  }
  return 6;
}

Mesh sheet(const std::vector<Point3>& corners, const std::vector<Index3>& triangles, double sag) {
  MeshInput in{corners, triangles, {Surface{"sheet", SurfaceKind::spline, {sag, false}}}, {}};
  in.surface_of_triangle.assign(triangles.size(), 0);
  return Mesh::build(std::move(in)).value();
}

Mesh flat_sheet(double half, double sag) {
  return sheet({{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}}, {{0, 1, 2}, {0, 2, 3}}, sag);
}

TEST(FirmnessEdges, AContactNarrowerThanTheSagsDividesNothing) {
  // Two round ends, one on the other, that share a sliver at their rims or a lens as wide as a thumb.
  const double sag = chord_sag(5, 24);
  const Shape can(with_sag(scenes::cylinder(5, 10, 24), sag, 1e-9));
  const PairReport sliver = assess(can, {}, can, translation(9.95, 0, 10));
  EXPECT_EQ(sliver.verdict, Verdict::touch);
  EXPECT_FALSE(sliver.firm) << "the rims may end before they meet";
  const PairReport lens = assess(can, {}, can, translation(5, 0, 10));
  EXPECT_EQ(lens.verdict, Verdict::touch);
  EXPECT_TRUE(lens.firm);
}

/// A box whose flat face at x = 0 ends in curves, for all that is known: what lies across its borders are splines.
Mesh box_with_curved_borders(double sag) {
  MeshInput in = input_of(scenes::box({0, 0, 0}, {2, 2, 2}));
  const std::size_t flat = side_of(scenes::box({0, 0, 0}, {2, 2, 2}), 0, 0);
  for (std::size_t s = 0; s < 6; ++s) {
    in.surfaces[s].tolerance = 1e-9;
    if (s == flat) in.surfaces[s].sag = {sag, false};
    if (s != flat) in.surfaces[s].kind = SurfaceKind::spline, in.surfaces[s].analytic.reset();
  }
  return Mesh::build(std::move(in)).value();
}

TEST(FirmnessEdges, TiltedFlatFacesMayReachFurtherThanTheirTriangles) {
  // The curved border of a flat face may be off within its plane; tilted, that brings it nearer.
  const Shape plate(box_with_sags({-9, -9, -1}, {9, 9, 0}, {}));
  const Shape box(box_with_curved_borders(0.1));
  const Pose on_edge = compose(translation(0, 0, 0.05), rotation({0, 1, 0}, -std::numbers::pi / 4));
  const PairReport r = assess(box, on_edge, plate, {}, {.tolerances = {.clearance = 0.5}});
  EXPECT_EQ(r.verdict, Verdict::touch);
  EXPECT_FALSE(r.firm);
  const PairReport swapped = assess(plate, {}, box, on_edge, {.tolerances = {.clearance = 0.5}});
  EXPECT_FALSE(swapped.firm);
  // Between planes borders are straight, and triangles show them as they are.
  const Shape straight(with_sag(scenes::box({0, 0, 0}, {2, 2, 2}), 0.1, 1e-9));
  const PairReport exact = assess(straight, on_edge, plate, {}, {.tolerances = {.clearance = 0.5}});
  EXPECT_EQ(exact.verdict, Verdict::near);
  EXPECT_TRUE(exact.firm);
}

TEST(FirmnessEdges, ParallelFlatFacesAreAsFarApartAsTheirPlanes) {
  const Mesh low = scenes::box({0, 0, 0}, {4, 4, 1}), high = scenes::box({0, 0, 1.05}, {4, 4, 2});
  std::array<double, 6> low_sags{}, high_sags{};
  low_sags[side_of(low, 2, 1)] = 0.2;
  high_sags[side_of(high, 2, 1.05)] = 0.2;
  const Shape a(box_with_sags({0, 0, 0}, {4, 4, 1}, low_sags)), b(box_with_sags({0, 0, 1.05}, {4, 4, 2}, high_sags));
  const PairReport r = assess(a, {}, b, {}, {.tolerances = {.clearance = 0.5}});
  EXPECT_EQ(r.verdict, Verdict::near);
  EXPECT_TRUE(r.firm) << "only their borders are uncertain";
  EXPECT_NEAR(*r.gap, 0.05, 1e-12);
}

TEST(FirmnessEdges, AForgivenOverlapIsFirmOnlyWithTheSagsAdded) {
  const Shape a(with_sag(scenes::box({0, 0, 0}, {1, 1, 1}), 0.02, 1e-9)),
      b(with_sag(scenes::box({0, 0, 0.95}, {1, 1, 2}), 0.02, 1e-9));
  const PairReport narrowly = assess(a, {}, b, {}, {.tolerances = {.touch_overlap = 0.06}});
  EXPECT_EQ(narrowly.verdict, Verdict::touch);
  EXPECT_FALSE(narrowly.firm) << "0.05 deep, 0.04 of sags, 0.06 forgiven";
  const PairReport easily = assess(a, {}, b, {}, {.tolerances = {.touch_overlap = 0.2}});
  EXPECT_EQ(easily.verdict, Verdict::touch);
  EXPECT_TRUE(easily.firm);
}

TEST(FirmnessEdges, SheetsThatCrossByLessThanTheirSagsNeedNot) {
  // A roof upside down, whose ridge dips through the other sheet far from all borders.
  const auto roof = [](double dip, double sag) {
    return Shape(sheet({{-3, -3, 1}, {0, -3, -dip}, {3, -3, 1}, {-3, 3, 1}, {0, 3, -dip}, {3, 3, 1}},
                       {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}}, sag));
  };
  const Shape floor(flat_sheet(9, 0.1));
  const PairReport shallow = assess(roof(0.05, 0.1), {}, floor, {});
  EXPECT_EQ(shallow.verdict, Verdict::touch);
  EXPECT_FALSE(shallow.firm);
  const PairReport deep = assess(roof(0.9, 0.1), {}, floor, {});
  EXPECT_EQ(deep.verdict, Verdict::clash);
  EXPECT_TRUE(deep.firm);
}

TEST(FirmnessEdges, SheetsThatCrossWithinTheSagOfABorderNeedNot) {
  // A strip that stands upright in the floor, not wider than what its borders may be off.
  const auto strip = [](double wide) {
    return Shape(sheet({{0, 0, -1.5}, {wide, 0, -1.5}, {wide, 0, 0.5}, {0, 0, 0.5}}, {{0, 1, 2}, {0, 2, 3}}, 0.05));
  };
  const Shape floor(flat_sheet(9, 0.05));
  const PairReport narrow = assess(strip(0.17), {}, floor, {});
  EXPECT_EQ(narrow.verdict, Verdict::touch);
  EXPECT_FALSE(narrow.firm);
  const PairReport wide = assess(strip(2), {}, floor, {});
  EXPECT_EQ(wide.verdict, Verdict::clash);
  EXPECT_TRUE(wide.firm);
}

TEST(FirmnessEdges, SagsBelowTheToleranceLeaveNothingOpen) {
  const Shape plate(with_sag(scenes::box({-9, -9, -1}, {9, 9, 0}), 0, 1e-7));
  const Pose on_edge = rotation({0, 1, 0}, -std::numbers::pi / 4);
  for (const double sag : {5e-8, 5e-7}) {
    MeshInput in = input_of(with_sag(scenes::box({0, 0, 0}, {2, 2, 2}), sag, 1e-7));
    for (Surface& surface : in.surfaces) surface.kind = SurfaceKind::spline, surface.analytic.reset();
    const Shape box(Mesh::build(std::move(in)).value());
    const PairReport r = assess(box, on_edge, plate, {});
    EXPECT_EQ(r.verdict, Verdict::touch) << sag;
    EXPECT_EQ(r.firm, sag < 1e-7) << sag;
  }
}

TEST(FirmnessEdges, AFitLeavesWhatOtherFacesLeave) {
  // A pin with a collar in a cup. Triangles cross in the bore alone, where the fit knows better; the collar is 0.2 above the
  // rim, of which the sag of the bore's wall, which ends there, leaves 0.02.
  const std::uint32_t segments = 12;
  const double bore = 5.15, length = 8.2 - 0.5;
  const auto with_own_sags = [&](const Mesh& mesh) {
    MeshInput in = input_of(mesh);
    for (Surface& surface : in.surfaces) {
      const bool fits = surface.kind == SurfaceKind::cylinder && surface.analytic->radius < 6;
      const bool flat = surface.kind == SurfaceKind::plane;
      surface.sag.value = fits ? chord_sag(surface.analytic->radius, segments) : flat ? chord_sag(bore, segments) : 0;
      surface.tolerance = 1e-9;
    }
    return Mesh::build(std::move(in)).value();
  };
  const Shape cup(with_own_sags(turned({{0, 0}, {9, 0}, {9, 10}, {bore, 10}, {bore, 2}, {0, 2}}, segments)));
  const Shape pin(
      with_own_sags(turned({{0, 0}, {5, 0}, {5, length}, {7, length}, {7, length + 2}, {0, length + 2}}, segments)));
  const Pose at = compose(translation(0, 0, 2.5), rotation({0, 0, 1}, std::numbers::pi / segments));
  const PairReport free = assess(pin, at, cup, {}, {.tolerances = {.clearance = 0.3}});
  ASSERT_GT(free.triangle_pairs, 0U) << "bad test: triangles must cross";
  EXPECT_EQ(free.verdict, Verdict::near);
  EXPECT_TRUE(free.firm);
  EXPECT_NEAR(*free.gap, 0.15, 1e-6);
  const PairReport strict = assess(pin, at, cup, {}, {.tolerances = {.clearance = 0.3, .touch_gap = 0.05}});
  EXPECT_EQ(strict.verdict, Verdict::touch) << "the collar may be as near as 0.02";
  EXPECT_FALSE(strict.firm);
}

/// A pin and a bush, both cylinders by their forms, on one axis.
struct PinInBush {
  Mesh pin, bush;
  Pose at;
};
PinInBush pin_in_bush(double pin, double bore, std::uint32_t segments, double turn, double tolerance = 1e-7) {
  return {with_sag(scenes::cylinder(pin, 20, segments), chord_sag(pin, segments), tolerance),
          with_sag(scenes::pipe(9, bore, 10, segments), chord_sag(9, segments), tolerance),
          compose(translation(0, 0, -5), rotation({0, 0, 1}, turn))};
}

TEST(Interference, IsAFirmClashHoweverCoarseTheTriangles) {
  for (const std::uint32_t segments : {12U, 17U, 24U, 48U})
    for (const double more : {0.001, 0.01, 0.05})
      for (const double turn : {0.0, 0.1, std::numbers::pi / segments}) {
        SCOPED_TRACE(segments);
        SCOPED_TRACE(more);
        SCOPED_TRACE(turn);
        const PinInBush fit = pin_in_bush(5 + more, 5, segments, turn);
        const Shape pin(fit.pin), bush(fit.bush);
        for (const PairReport& r : {assess(pin, fit.at, bush, {}), assess(bush, {}, pin, fit.at)}) {
          EXPECT_EQ(r.verdict, Verdict::clash);
          EXPECT_TRUE(r.firm);
          ASSERT_TRUE(r.depth);
          EXPECT_LE(r.depth->lower, r.depth->upper);
        }
      }
}

TEST(Interference, IsAsDeepAsTheRadiiDiffer) {
  const PinInBush fit = pin_in_bush(5.01, 5, 24, 0.1);
  const PairReport r = assess(Shape(fit.pin), fit.at, Shape(fit.bush), {});
  ASSERT_TRUE(r.depth);
  EXPECT_NEAR(r.depth->lower, 0.01, 1e-6);
  EXPECT_NEAR(std::hypot(r.depth->centre.x, r.depth->centre.y), 5.005, 1e-9);
  const PairReport forgiven =
      assess(Shape(fit.pin), fit.at, Shape(fit.bush), {}, {.tolerances = {.touch_overlap = 0.02}});
  EXPECT_NE(forgiven.verdict, Verdict::clash) << "press fits can be allowed";
}

TEST(Interference, OfAPressFitIsForgivenUpToTheTouchOverlap) {
  const PinInBush fit = pin_in_bush(10.005 / 2, 5, 64, 0);
  const Shape pin(fit.pin), bush(fit.bush);
  const auto with = [&](double overlap) {
    return assess(pin, fit.at, bush, {}, {.tolerances = {.touch_overlap = overlap}});
  };
  EXPECT_EQ(with(0.002).verdict, Verdict::clash);
  for (const double overlap : {0.003, 0.006, 0.1, 1.0}) {
    SCOPED_TRACE(overlap);
    const PairReport r = with(overlap);
    EXPECT_EQ(r.verdict, Verdict::touch);
    EXPECT_TRUE(r.firm);
    EXPECT_TRUE(r.reason.empty()) << r.reason;
  }
  // The same pin with a collar that is sunk into the bush: nothing forgives that.
  const Mesh collared = turned({{0, -5}, {5.0025, -5}, {5.0025, 9}, {8, 9}, {8, 15}, {0, 15}}, 64);
  const PairReport sunk = assess(Shape(collared), {}, bush, {}, {.tolerances = {.touch_overlap = 0.1}});
  EXPECT_GE(sunk.verdict, Verdict::undecided);
}

TEST(Interference, IsNotClaimedWhereItIsNotKnown) {
  const auto never_firm_clash = [](const Mesh& pin, const Mesh& bush, const Pose& at, const char* why) {
    const PairReport r = assess(Shape(pin), at, Shape(bush), {});
    EXPECT_FALSE(r.verdict == Verdict::clash && r.firm) << why;
  };
  const auto changed = [](const Mesh& mesh, auto&& change) {
    MeshInput in = input_of(mesh);
    for (Surface& surface : in.surfaces)
      if (surface.analytic && surface.kind == SurfaceKind::cylinder) change(surface);
    return Mesh::build(std::move(in)).value();
  };
  const PinInBush fit = pin_in_bush(5.01, 5, 24, 0.1);
  never_firm_clash(changed(fit.pin, [](Surface& s) { s.analytic->recognised = true; }), fit.bush, fit.at, "recognised");
  never_firm_clash(changed(fit.pin, [](Surface& s) { s.analytic.reset(); }), fit.bush, fit.at, "no form");
  never_firm_clash(changed(fit.pin, [](Surface& s) { s.tolerance = 0.02; }), fit.bush, fit.at, "within the tolerance");
  never_firm_clash(fit.pin, fit.bush, compose(translation(0.005, 0, 0), fit.at), "off the axis by as much");
  const PinInBush equal = pin_in_bush(5, 5, 24, 0.1), loose = pin_in_bush(4.99, 5, 24, 0.1);
  never_firm_clash(equal.pin, equal.bush, equal.at, "equal radii");
  never_firm_clash(loose.pin, loose.bush, loose.at, "play");
  // A disc of which half is in the bore, by less than what the borders of the walls may be off.
  const Mesh disc = with_sag(scenes::cylinder(5.01, 0.1, 24), chord_sag(5.01, 24), 1e-7);
  never_firm_clash(disc, fit.bush, compose(translation(0, 0, -0.05), rotation({0, 0, 1}, 0.1)), "barely in it");
  // A disc thinner than what its axis is off.
  const Mesh thin = with_sag(scenes::cylinder(5.01, 0.006, 24), 1e-6, 1e-7);
  never_firm_clash(thin, fit.bush, compose(translation(0.004, 0, 5), rotation({0, 0, 1}, 0.1)),
                   "thin and off the axis");
  // A tube with a wall thinner than the interference: the ball between the walls would come out of it inside.
  const Mesh tube = with_sag(scenes::pipe(5.05, 5.015, 20, 48), chord_sag(5.05, 48), 1e-7);
  const Mesh bush = with_sag(scenes::pipe(9, 5, 10, 48), 0.05, 1e-7);
  never_firm_clash(tube, bush, fit.at, "a foil");
}

}  // namespace
}  // namespace snug
