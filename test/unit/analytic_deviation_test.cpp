#include "analytic_patches.hpp"
#include "geometry/analytic/deviation.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace snug {
namespace {

using geometry::deviation;
using geometry::distance_to;
using geometry::dot;
using geometry::normal_at;
using scenes::Random;

constexpr SurfaceKind k_kinds[] = {SurfaceKind::plane, SurfaceKind::sphere, SurfaceKind::cylinder, SurfaceKind::cone,
                                   SurfaceKind::torus};

/// Largest distance found by sampling the triangle, and then ever finer where it was largest.
double sampled_deviation(SurfaceKind kind, const AnalyticSurface& s, const Triangle& t) {
  double best = 0, best_u = 1.0 / 3, best_v = 1.0 / 3;
  double lo_u = 0, hi_u = 1, lo_v = 0, hi_v = 1;
  for (int round = 0; round < 7; ++round) {
    const int n = round == 0 ? 80 : 12;
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) {
        // What lies outside is brought to the border: the largest distance is often there.
        double u = std::max(0.0, lo_u + (hi_u - lo_u) * i / n), v = std::max(0.0, lo_v + (hi_v - lo_v) * j / n);
        if (u + v > 1) u /= u + v, v = 1 - u;
        const double d = std::abs(distance_to(kind, s, t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0])));
        if (d > best) best = d, best_u = u, best_v = v;
      }
    const double half = 1.5 * (hi_u - lo_u) / n;
    lo_u = best_u - half, hi_u = best_u + half, lo_v = best_v - half, hi_v = best_v + half;
  }
  return best;
}

double extent_of(const AnalyticSurface& s, const Triangle& t) {
  double extent = s.radius + s.minor_radius;
  for (const Point3& p : t.corner) extent = std::max(extent, geometry::max_abs(p - s.origin));
  return extent;
}

double worst_ratio = 1;  ///< of bound and sample, since a test began

void expect_bound(SurfaceKind kind, const AnalyticSurface& s, const Triangle& t) {
  const double bound = deviation(kind, s, t), seen = sampled_deviation(kind, s, t), extent = extent_of(s, t);
  const double rounding = 1e-14 * (extent + geometry::max_abs(s.origin));
  EXPECT_GE(bound, seen - rounding);
  // Midway between the branches of a spindle both distances have to be bounded, along a whole curve.
  const bool spindle = kind == SurfaceKind::torus && s.minor_radius > s.radius;
  EXPECT_LE(bound, (spindle ? 1.03 : 1.012) * seen + 1e-11 * extent);
  if (seen > 1e-6 * extent) worst_ratio = std::max(worst_ratio, bound / seen);
}

TEST(AnalyticDistance, VanishesOnTheSurfaceAndGrowsAlongItsNormal) {
  for (const SurfaceKind kind : k_kinds)
    for (std::uint64_t seed = 0; seed < test::scaled(100); ++seed) {
      SCOPED_TRACE(std::string(to_string(kind)) + " seed " + std::to_string(seed));
      Random random(seed);
      const double size = std::pow(10.0, random.uniform(-3, 4));
      const AnalyticSurface s = test::random_surface(random, kind, size, 10 * size);
      const double u = random.uniform(0, 6.28), v = kind == SurfaceKind::torus    ? random.uniform(0, 6.28)
                                                    : kind == SurfaceKind::sphere ? random.uniform(-1.5, 1.5)
                                                                                  : random.uniform(0, 2) * size;
      Vec3 normal;
      const Point3 p = test::place_on(kind, s, u, v, normal);
      const double rounding = 1e-14 * (size + geometry::max_abs(p) + geometry::max_abs(s.origin));
      EXPECT_NEAR(distance_to(kind, s, p), 0, rounding);
      EXPECT_NEAR(dot(normal_at(kind, s, p), normal), 1, 1e-10);
      const double step = 0.05 * size, sign = s.hollow ? -1 : 1;
      EXPECT_NEAR(distance_to(kind, s, p + step * normal), sign * step, rounding);
      const Vec3 above = normal_at(kind, s, p + step * normal);
      EXPECT_NEAR(dot(above, normal), 1, 1e-10);
    }
}

TEST(AnalyticDistance, HasAnAnswerAtAxesCentresAndApexes) {
  const AnalyticSurface round{.origin = {}, .radius = 2, .minor_radius = 0.5};
  EXPECT_EQ(distance_to(SurfaceKind::cylinder, round, {0, 0, 5}), -2);
  EXPECT_EQ(distance_to(SurfaceKind::sphere, round, {0, 0, 0}), -2);
  EXPECT_EQ(distance_to(SurfaceKind::torus, round, {2, 0, 0}), -0.5);
  EXPECT_EQ(distance_to(SurfaceKind::torus, round, {0, 0, 0}), 1.5);
  for (const SurfaceKind kind : {SurfaceKind::cylinder, SurfaceKind::sphere, SurfaceKind::torus})
    EXPECT_NEAR(dot(normal_at(kind, round, {}), normal_at(kind, round, {})), 1, 1e-15);
  const double half = std::atan(0.5);
  const AnalyticSurface cone{.origin = {}, .radius = 1, .half_angle = half};  // apex at z = -2
  EXPECT_NEAR(distance_to(SurfaceKind::cone, cone, {0, 0, 0}), -std::cos(half), 1e-15);
  EXPECT_NEAR(distance_to(SurfaceKind::cone, cone, {0, 0, -2}), 0, 1e-15);
  EXPECT_NEAR(distance_to(SurfaceKind::cone, cone, {0, 0, -5}), 3, 1e-15) << "the apex is closest, not the other nappe";
  EXPECT_NEAR(dot(normal_at(SurfaceKind::cone, cone, {0, 0, -5}), {0, 0, -1}), 1, 1e-15);
  EXPECT_NEAR(distance_to(SurfaceKind::cone, cone, {2, 0, 2}), 0, 1e-15);
  // A spindle is both of its branches: on the axis the lemon is closer.
  const AnalyticSurface spindle{.origin = {}, .radius = 1, .minor_radius = 2};
  EXPECT_EQ(distance_to(SurfaceKind::torus, spindle, {3, 0, 0}), 0);
  EXPECT_EQ(distance_to(SurfaceKind::torus, spindle, {1, 0, 0}), 0);
  EXPECT_EQ(std::abs(distance_to(SurfaceKind::torus, spindle, {2, 0, 0})), 1);
}

TEST(AnalyticDeviation, BoundsEveryPointOfTrianglesCutFromTheSurface) {
  worst_ratio = 1;
  for (const SurfaceKind kind : k_kinds)
    for (std::uint64_t seed = 0; seed < test::scaled(150); ++seed) {
      SCOPED_TRACE(std::string(to_string(kind)) + " seed " + std::to_string(seed));
      Random random(seed);
      const double size = std::pow(10.0, random.uniform(-3, 4));
      AnalyticSurface s = test::random_surface(random, kind, size, 10 * size);
      if (kind == SurfaceKind::torus && seed % 4 == 0) s.minor_radius = random.uniform(1, 2) * s.radius;
      const double step = std::pow(10.0, random.uniform(-2, 0));
      const bool round = kind == SurfaceKind::torus || kind == SurfaceKind::sphere;
      const double u = random.uniform(0, 6.28), v = random.uniform(0, round ? 1 : size);
      Triangle t;
      Vec3 normal;
      for (Point3& p : t.corner)
        p = test::place_on(kind, s, u + random.uniform(-1, 1) * step,
                           v + random.uniform(-1, 1) * step * (round ? 0.5 : size), normal);
      expect_bound(kind, s, t);
      std::swap(t.corner[0], t.corner[2]);
      expect_bound(kind, s, t);
    }
  RecordProperty("worst_ratio", std::to_string(worst_ratio));
}

TEST(AnalyticDeviation, BoundsTrianglesAnywhereAcrossAxesAndApexesToo) {
  worst_ratio = 1;
  for (const SurfaceKind kind : k_kinds)
    for (std::uint64_t seed = 0; seed < test::scaled(150); ++seed) {
      SCOPED_TRACE(std::string(to_string(kind)) + " seed " + std::to_string(seed));
      Random random(seed);
      const double size = std::pow(10.0, random.uniform(-3, 4));
      AnalyticSurface s = test::random_surface(random, kind, size, 10 * size);
      if (kind == SurfaceKind::torus && seed % 4 == 0) s.minor_radius = random.uniform(1, 2) * s.radius;
      const Triangle around = random.triangle(-3 * size, 3 * size);
      Triangle t{{s.origin + around[0], s.origin + around[1], s.origin + around[2]}};
      expect_bound(kind, s, t);
      // A corner or an edge on the axis, and one whose plane holds it.
      t.corner[0] = s.origin + random.uniform(-2, 2) * size * s.axis;
      expect_bound(kind, s, t);
      t.corner[1] = s.origin + random.uniform(-2, 2) * size * s.axis;
      expect_bound(kind, s, t);
      if (kind == SurfaceKind::cone) {
        t.corner[2] = s.origin - (s.radius / std::tan(s.half_angle)) * s.axis;
        t.corner[0] = t.corner[2] + around[0], t.corner[1] = t.corner[2] - around[1];
        expect_bound(kind, s, t);
      }
    }
  RecordProperty("worst_ratio", std::to_string(worst_ratio));
}

TEST(AnalyticDeviation, TakesDegenerateTriangles) {
  for (const SurfaceKind kind : k_kinds)
    for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
      SCOPED_TRACE(std::string(to_string(kind)) + " seed " + std::to_string(seed));
      Random random(seed);
      const AnalyticSurface s = test::random_surface(random, kind, 1, 2);
      const Point3 p = s.origin + random.point(-2, 2), q = s.origin + random.point(-2, 2);
      const double at = std::abs(distance_to(kind, s, p));
      EXPECT_NEAR(deviation(kind, s, {{p, p, p}}), at, 0.0101 * at + 1e-11);
      expect_bound(kind, s, {{p, q, p}});
      expect_bound(kind, s, {{p, q, geometry::lerp(p, q, 0.3)}});
      expect_bound(kind, s, {{p, q, geometry::lerp(p, q, 0.3) + 1e-9 * random.point(-1, 1)}});
    }
}

}  // namespace
}  // namespace snug
