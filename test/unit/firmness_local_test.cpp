// Firmness is a matter of the faces near the contact: round borders elsewhere leave nothing open, and those that reach it do.
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"
#include "unit/firmness_parts.hpp"

#include <snug/check.hpp>
#include <snug/solid.hpp>
#include <snug/verdict.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace snug {
namespace {

using test::chord_sag;
using test::input_of;
using test::with_sag;

/// A wall from y = 0 to 2 over x in [-10, 10], z in [0, 20], with a round hole: its flat sides end at the hole, and their
/// triangles run from there to the corners, those on the floor among them.
Mesh wall_with_hole(double radius, double height, std::uint32_t per_quarter) {
  MeshInput in;
  const std::uint32_t n = 4 * per_quarter;
  const std::array<std::array<double, 2>, 4> corner{{{10, 20}, {-10, 20}, {-10, 0}, {10, 0}}};
  for (const double y : {0.0, 2.0}) {
    for (const auto& [x, z] : corner) in.vertices.push_back({x, y, z});
    for (std::uint32_t i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * i / n;
      in.vertices.push_back({radius * std::cos(angle), y, height + radius * std::sin(angle)});
    }
  }
  const double sag = chord_sag(radius, n);
  const auto plane = [&](Vec3 normal, Point3 at, double off) {
    Surface s{"", SurfaceKind::plane, {off, false}};
    s.tolerance = 1e-7, s.analytic = AnalyticSurface{.origin = at, .axis = normal};
    return s;
  };
  in.surfaces = {plane({0, -1, 0}, {0, 0, 0}, sag), plane({0, 1, 0}, {0, 2, 0}, sag), plane({0, 0, 1}, {0, 0, 20}, 0),
                 plane({-1, 0, 0}, {-10, 0, 0}, 0), plane({0, 0, -1}, {0, 0, 0}, 0),  plane({1, 0, 0}, {10, 0, 0}, 0)};
  Surface bore{"", SurfaceKind::cylinder, {sag, false}};
  bore.tolerance = 1e-7;
  bore.analytic = AnalyticSurface{.origin = {0, 0, height}, .axis = {0, 1, 0}, .radius = radius, .hollow = true};
  in.surfaces.push_back(bore);
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t surface) {
    in.triangles.push_back({a, b, c});
    in.surface_of_triangle.push_back(surface);
  };
  const std::uint32_t back = 4 + n;
  for (std::uint32_t q = 0; q < 4; ++q) {
    // The quarter's arc as a fan from its corner, then the side of the rectangle from the arc's end.
    for (std::uint32_t i = q * per_quarter; i < (q + 1) * per_quarter; ++i) {
      const std::uint32_t p = 4 + i, r = 4 + (i + 1) % n;
      add(q, r, p, 1), in.triangles.back() = {q + back, r + back, p + back};
      add(q, p, r, 0);
      add(p, p + back, r + back, 6), add(p, r + back, r, 6);
    }
    const std::uint32_t next = (q + 1) % 4, end = 4 + ((q + 1) * per_quarter) % n;
    add(q + back, next + back, end + back, 1), add(q, end, next, 0);
    add(q, next, next + back, 2 + q), add(q, next + back, q + back, 2 + q);
  }
  return Mesh::build(std::move(in)).value();
}

Shape plate() { return Shape(with_sag(scenes::box({-30, -30, -5}, {30, 30, 0}), 0, 1e-7)); }

TEST(FirmnessNear, AHoleAboveTheContactLeavesNothingOpen) {
  for (const std::uint32_t quarter : {3U, 6U, 12U}) {
    const Mesh mesh = wall_with_hole(5, 10, quarter);
    ASSERT_TRUE(is_closed(mesh.view())) << "bad test";
    const Shape wall(mesh);
    for (const double turn : {0.0, 0.7}) {
      const PairReport r = assess(wall, rotation({0, 0, 1}, turn), plate(), {});
      EXPECT_EQ(r.verdict, Verdict::touch);
      EXPECT_TRUE(r.firm);
      EXPECT_TRUE(r.in_doubt.empty());
      EXPECT_TRUE(assess(plate(), {}, wall, rotation({0, 0, 1}, turn)).firm);
    }
  }
}

TEST(FirmnessNear, AnOverlapThatTheDefaultForgivesIsFirmToo) {
  const Shape wall(wall_with_hole(5, 10, 4));
  const PairReport r = assess(wall, translation(0, 0, -3e-6), plate(), {}, {.tolerances = {.touch_overlap = 1e-3}});
  EXPECT_EQ(r.verdict, Verdict::touch);
  EXPECT_TRUE(r.firm);
  EXPECT_EQ(assess(wall, translation(0, 0, -3e-6), plate(), {}).verdict, Verdict::clash);
}

TEST(FirmnessNear, AHoleWhosePinMayOrMayNotTouchStaysOpen) {
  // A pin without a known form in the hole, nearer to its wall than the sag: the hole is the contact here.
  const Mesh mesh = wall_with_hole(5, 10, 3);
  MeshInput pin = input_of(with_sag(scenes::cylinder(4.95, 10, 12), chord_sag(4.95, 12), 1e-7));
  for (Surface& surface : pin.surfaces) surface.analytic.reset(), surface.kind = SurfaceKind::spline;
  const Shape wall(mesh), in_hole(Mesh::build(std::move(pin)).value());
  const Pose at = compose(translation(0, 6, 10), rotation({1, 0, 0}, std::numbers::pi / 2));
  const PairReport r = assess(in_hole, at, wall, {});
  EXPECT_EQ(r.verdict, Verdict::touch);
  EXPECT_FALSE(r.firm);
  ASSERT_FALSE(r.in_doubt.empty());
}

TEST(FirmnessNear, ARoundWallOnItsRimIsFirmOnlyWhereItTouches) {
  // A disc that stands on its rim: as deep or as high as less than its sag it must not be called a firm touch.
  for (const std::uint32_t segments : {12U, 17U, 48U}) {
    const Shape disc(with_sag(scenes::cylinder(5, 2, segments), chord_sag(5, segments), 1e-7));
    for (const double off : {-0.02, -1e-3, -1e-5, 1e-5, 1e-3, 0.02})
      for (const double turn : {0.0, 0.1, 0.26}) {
        const Pose at = compose(compose(translation(0, 0, 5 + off), rotation({1, 0, 0}, std::numbers::pi / 2)),
                                rotation({0, 0, 1}, turn));
        const PairReport r = assess(disc, at, plate(), {});
        if (r.firm) {
          EXPECT_EQ(r.verdict, off < 0 ? Verdict::clash : Verdict::clear) << segments << ", " << off << ", " << turn;
        }
      }
  }
}

TEST(FirmnessNear, ABevelThatBulgesIntoThePlateIsNotWavedThrough) {
  // A wall whose side is flat by name but ends below in a curve that no straight edge shows: the sag is at the contact.
  MeshInput in = input_of(scenes::box({-5, -1, 0}, {5, 1, 8}));
  for (Surface& surface : in.surfaces) surface.tolerance = 1e-7;
  in.surfaces[0].sag = {0.05, false};
  // What lies across its border is a spline: nobody knows where that ends.
  for (std::size_t s = 1; s < 6; ++s) in.surfaces[s].kind = SurfaceKind::spline, in.surfaces[s].sag = {0.05, false};
  for (std::size_t s = 1; s < 6; ++s) in.surfaces[s].analytic.reset();
  const Shape wall(Mesh::build(std::move(in)).value());
  const PairReport r = assess(wall, {}, plate(), {});
  EXPECT_EQ(r.verdict, Verdict::touch);
  EXPECT_FALSE(r.firm);
}

/// A ring of square section with a closed groove in it, a hollow torus around z: the race of a bearing, seen by a ball in it.
Mesh race(double pitch, double groove) {
  MeshInput in = input_of(scenes::torus(pitch, groove, 60, 24));
  const auto first = static_cast<std::uint32_t>(in.vertices.size());
  for (Index3& t : in.triangles) std::swap(t[1], t[2]);
  in.surfaces.resize(1);
  in.surface_of_triangle.assign(in.triangles.size(), 0);
  in.surfaces[0] = {"race", SurfaceKind::torus, {0.06, false}};
  in.surfaces[0].tolerance = 1e-7;
  in.surfaces[0].analytic =
      AnalyticSurface{.origin = {}, .axis = {0, 0, 1}, .radius = pitch, .minor_radius = groove, .hollow = true};
  in.surfaces.push_back({"outside", SurfaceKind::unknown, {0, false}});
  const Mesh box = scenes::box({-40, -40, -20}, {40, 40, 20});
  for (const Point3& p : box.vertices()) in.vertices.push_back(p);
  for (const Index3& t : box.triangles()) {
    in.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    in.surface_of_triangle.push_back(1);
  }
  return Mesh::build(std::move(in)).value();
}

Mesh ball_of(double radius) {
  MeshInput in = input_of(scenes::sphere(radius, 12, 24));
  for (Surface& s : in.surfaces) {
    s.kind = SurfaceKind::sphere, s.sag = {0.16, false}, s.tolerance = 1e-7;
    s.analytic = AnalyticSurface{.origin = {}, .radius = radius};
  }
  return Mesh::build(std::move(in)).value();
}

TEST(FirmnessNear, ABallThatRestsInItsRaceIsAFirmTouch) {
  const Shape ball(ball_of(3));
  for (const double groove : {3.0, 3.12, 3.5}) {
    const Shape ring(race(20, groove));
    const PairReport r = assess(ball, translation(20 + groove - 3, 0, 0), ring, {});
    EXPECT_EQ(r.verdict, Verdict::touch) << groove;
    EXPECT_TRUE(r.firm) << groove;
    EXPECT_FALSE(r.depth) << groove;
  }
}

TEST(FirmnessNear, ABallInItsRaceIsNeverFirmAndWrong) {
  const std::uint64_t cases = test::scaled(40);
  const Shape ball(ball_of(3)), ring(race(20, 3.2));
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    // By how much the ball is off the middle of the groove: it has 0.2 of play.
    const double off = 0.2 + random.uniform(-1, 1) * std::array{0.2, 0.01, 1e-4}[random.below(3)];
    const double angle = random.uniform(0, 6), up = random.uniform(0, 6);
    const Vec3 out{std::cos(angle), std::sin(angle), 0};
    const Point3 at = (20 + off * std::cos(up)) * out + Vec3{0, 0, off * std::sin(up)};
    const PairReport r = assess(ball, translation(at.x, at.y, at.z), ring, {});
    if (!r.firm) continue;
    if (off > 0.2) {
      EXPECT_GE(r.verdict, Verdict::clash) << off;
    } else {
      EXPECT_EQ(r.verdict, Verdict::clear) << off;
    }
  }
}

TEST(FirmnessNear, AWallThatIsOffThePlateByLessThanItsSagIsJudgedAsItStands) {
  const Shape wall(wall_with_hole(5, 10, 3)), floor = plate();
  for (const double off : {-0.3, -0.01, -1e-4, 1e-4, 0.01, 0.3})
    for (const double turn : {0.0, 0.3}) {
      const PairReport r = assess(wall, compose(translation(0, 0, off), rotation({0, 0, 1}, turn)), floor, {});
      EXPECT_TRUE(r.firm) << off << ", " << turn;
      EXPECT_EQ(r.verdict, off < 0 ? Verdict::clash : Verdict::clear) << off << ", " << turn;
    }
}

TEST(SurfacesInDoubt, AreThoseThatFinerTrianglesMaySettle) {
  Assembly assembly(LengthUnit::millimetre);
  // Tangent by their forms: a roller on a plate, with facets that leave a gap.
  const std::uint32_t segments = 12;
  MeshInput base = input_of(with_sag(scenes::box({-30, -30, -5}, {30, 30, 0}), 0, 1e-7));
  ASSERT_TRUE(assembly.add({"plate", Mesh::build(std::move(base)).value(), {}}));
  ASSERT_TRUE(assembly.add({"roller", with_sag(scenes::cylinder(5, 20, segments), chord_sag(5, segments), 1e-7),
                            compose(compose(translation(0, 0, 5), rotation({1, 0, 0}, std::numbers::pi / 2)),
                                    rotation({0, 0, 1}, std::numbers::pi / segments))}));
  const CheckReport report = check(assembly);
  ASSERT_EQ(report.findings.size(), 1U);
  if (!report.findings[0].firm) {
    ASSERT_FALSE(report.findings[0].in_doubt.empty());
    EXPECT_TRUE(report.findings[0].in_doubt[0].meet_exactly);
  }
  EXPECT_TRUE(surfaces_in_doubt(assembly, report).empty()) << "they meet exactly: no triangles can tell";
}

}  // namespace
}  // namespace snug
