#include "analytic_patches.hpp"
#include "geometry/analytic/deviation.hpp"
#include "geometry/analytic/fit.hpp"
#include "geometry/analytic/small_matrix.hpp"
#include "support.hpp"
#include "support/trig.hpp"

#include <gtest/gtest.h>

namespace snug {
namespace {

using geometry::dot;
using geometry::fit_analytic;
using scenes::Random;
using test::Patch;

constexpr double k_tolerance = 1e-6;
constexpr SurfaceKind k_kinds[] = {SurfaceKind::plane, SurfaceKind::sphere, SurfaceKind::cylinder, SurfaceKind::cone,
                                   SurfaceKind::torus};
constexpr double k_arcs[] = {5, 10, 30, 90, 180, 360};

double radians(double degrees) { return degrees * std::numbers::pi / 180; }
double length(Vec3 v) { return std::sqrt(dot(v, v)); }

/// A random surface of random size and a patch of it.
struct Case {
  AnalyticSurface surface;
  Patch patch;
  double size = 0;
  Case(Random& random, SurfaceKind kind, double degrees) {
    const double unit = std::pow(10.0, random.uniform(-3, 4));
    surface = test::random_surface(random, kind, unit, random.uniform(0, 10) * unit);
    patch = test::patch_of(random, kind, surface, radians(degrees));
    size = test::diagonal_of(patch.points);
  }
};

TEST(AnalyticFit, FindsEveryKindExactlyFromFiveDegreesToFull) {
  for (const SurfaceKind kind : k_kinds)
    for (const double degrees : k_arcs)
      for (std::uint64_t seed = 0; seed < test::scaled(40); ++seed) {
        SCOPED_TRACE(std::string(to_string(kind)) + " " + std::to_string(degrees) + " seed " + std::to_string(seed));
        Random random(seed);
        const Case c(random, kind, degrees);
        const auto fitted = fit_analytic(c.patch.points, c.patch.normals, k_tolerance);
        ASSERT_TRUE(fitted);
        ASSERT_EQ(fitted->kind, kind);
        const AnalyticSurface &found = fitted->surface, &true_one = c.surface;
        EXPECT_TRUE(is_valid(kind, found));
        EXPECT_EQ(found.hollow, true_one.hollow);
        EXPECT_FALSE(found.recognised);
        EXPECT_LT(fitted->residual, 1e-11 * c.size);
        // What a short arc leaves open grows with the square of how short it is.
        const double slack = 1e-9 * std::pow(90 / std::min(degrees, 90.0), 2);
        if (kind == SurfaceKind::plane) {
          EXPECT_GT(dot(found.axis, true_one.axis), 1 - 1e-12);
          continue;
        }
        EXPECT_NEAR(found.minor_radius, true_one.minor_radius, slack * true_one.radius);
        EXPECT_NEAR(found.half_angle, true_one.half_angle, slack);
        const bool has_centre = kind == SurfaceKind::sphere || kind == SurfaceKind::torus;
        const Vec3 off = found.origin - true_one.origin;
        const Vec3 aside = has_centre ? off : off - dot(off, true_one.axis) * true_one.axis;
        EXPECT_LT(length(aside), slack * true_one.radius);
        const double along = dot(found.axis, true_one.axis);
        if (kind != SurfaceKind::cone) {
          EXPECT_NEAR(found.radius, true_one.radius, slack * true_one.radius);
          if (kind != SurfaceKind::sphere) {
            EXPECT_GT(std::abs(along), 1 - slack);
          }
        } else {
          EXPECT_GT(along, 1 - slack) << "it widens along its axis";
        }
      }
}

TEST(AnalyticFit, ToleratesNoiseBelowTheToleranceAndRefusesItAbove) {
  for (const SurfaceKind kind : k_kinds)
    for (const double degrees : k_arcs)
      for (std::uint64_t seed = 0; seed < test::scaled(20); ++seed) {
        SCOPED_TRACE(std::string(to_string(kind)) + " " + std::to_string(degrees) + " seed " + std::to_string(seed));
        Random random(1000 + seed);
        const Case c(random, kind, degrees);
        Patch quiet = c.patch, loud = c.patch;
        test::shake(random, quiet, 0.4 * k_tolerance * c.size);
        for (Vec3& n : quiet.normals) n = n + 2 * k_tolerance * test::random_direction(random);
        test::shake(random, loud, 4 * k_tolerance * c.size);
        const auto fitted = fit_analytic(quiet.points, quiet.normals, k_tolerance);
        ASSERT_TRUE(fitted);
        EXPECT_EQ(fitted->kind, kind);
        EXPECT_LE(fitted->residual, k_tolerance * c.size);
        EXPECT_GT(fitted->residual, 0.05 * k_tolerance * c.size);
        EXPECT_EQ(fitted->surface.hollow, c.surface.hollow);
        EXPECT_FALSE(fit_analytic(loud.points, loud.normals, k_tolerance));
        if (degrees < 30) continue;  // a lax tolerance does not tell short arcs of a cone from a cylinder
        EXPECT_TRUE(fit_analytic(loud.points, loud.normals, 8 * k_tolerance)) << "asked for less";
      }
}

/// z = f(x, y) over the unit square, in a random frame, with its normals.
template <class F>
Patch height_field(Random& random, double size, F&& f) {
  const Pose pose = random.pose(3 * size);
  Patch patch;
  const double h = 1e-6;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) {
      const double x = i / 11.0, y = j / 11.0;
      const double dx = (f(x + h, y) - f(x - h, y)) / (2 * h), dy = (f(x, y + h) - f(x, y - h)) / (2 * h);
      patch.points.push_back(pose.apply(size * Vec3{x, y, f(x, y)}));
      const Vec3 n = (1 / std::sqrt(1 + dx * dx + dy * dy)) * Vec3{-dx, -dy, 1};
      patch.normals.push_back(pose.apply(n) - pose.translation());
    }
  return patch;
}

TEST(AnalyticFit, RefusesFreeFormPatchesHoweverGentle) {
  std::uint64_t refused = 0, flat = 0, count = 0;
  for (const double amplitude : {1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 3e-6})
    for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed, ++count) {
      SCOPED_TRACE(std::to_string(amplitude) + " seed " + std::to_string(seed));
      Random random(seed);
      std::array<double, 10> c;
      for (double& value : c) value = amplitude * random.uniform(-1, 1);
      const Patch patch = height_field(random, std::pow(10.0, random.uniform(-3, 4)), [&](double x, double y) {
        const double u = 2 * x - 1, v = 2 * y - 1;
        return c[0] * u * u + c[1] * u * v + c[2] * v * v + c[3] * u * u * u + c[4] * u * u * v + c[5] * u * v * v +
               c[6] * v * v * v + c[7] * u * u * v * v + c[8] * u * u * u * u + c[9] * v * v * v * v;
      });
      const auto fitted = fit_analytic(patch.points, patch.normals, k_tolerance);
      refused += fitted ? 0 : 1;
      flat += fitted && fitted->kind == SurfaceKind::plane ? 1 : 0;
      if (fitted) {
        EXPECT_EQ(fitted->kind, SurfaceKind::plane) << "flat within the tolerance, or nothing";
      }
    }
  RecordProperty("refused", std::to_string(refused));
  EXPECT_EQ(refused + flat, count);
  EXPECT_GT(refused, count / 2);
}

TEST(AnalyticFit, NearlyFlatIsAPlaneNotAGiantSphere) {
  for (std::uint64_t seed = 0; seed < test::scaled(50); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double size = std::pow(10.0, random.uniform(-3, 4));
    // A sphere of this radius bulges by less than the tolerance over a patch of length one.
    const double radius = random.uniform(3e5, 1e9);
    const Patch patch = height_field(random, size, [&](double x, double y) {
      return -((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5)) / (2 * radius);
    });
    const auto fitted = fit_analytic(patch.points, patch.normals, k_tolerance);
    ASSERT_TRUE(fitted);
    EXPECT_EQ(fitted->kind, SurfaceKind::plane);
  }
}

TEST(AnalyticFit, AsksTheNormalsToo) {
  // A finely rippled plane: its points are flat within the tolerance, its normals are not.
  Random random(5);
  const Patch ripples = height_field(random, 1, [](double x, double) { return 5e-7 * std::sin(2e5 * x); });
  EXPECT_FALSE(fit_analytic(ripples.points, ripples.normals, k_tolerance));
  // A cylinder whose normals look one way here and the other way there is none.
  AnalyticSurface s{.origin = {}, .radius = 1};
  Patch patch = test::patch_of(random, SurfaceKind::cylinder, s, radians(90));
  patch.normals[7] = -patch.normals[7];
  EXPECT_FALSE(fit_analytic(patch.points, patch.normals, k_tolerance));
  // At a pole the normal may be missing.
  patch.normals[7] = {};
  const auto fitted = fit_analytic(patch.points, patch.normals, k_tolerance);
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->kind, SurfaceKind::cylinder);
}

TEST(AnalyticFit, FindsConesWithTheirApexAndBothBranchesOfASpindle) {
  for (std::uint64_t seed = 0; seed < test::scaled(40); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    AnalyticSurface cone = test::random_surface(random, SurfaceKind::cone, 2, 5);
    cone.radius = 0;
    Patch patch;
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) {
        Vec3 n;
        patch.points.push_back(test::place_on(SurfaceKind::cone, cone, 0.7 * i, 0.2 * j, n));
        patch.normals.push_back(j == 0 ? Vec3{} : n);
      }
    const auto found = fit_analytic(patch.points, patch.normals, k_tolerance);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, SurfaceKind::cone);
    EXPECT_NEAR(found->surface.half_angle, cone.half_angle, 1e-9);

    AnalyticSurface spindle = test::random_surface(random, SurfaceKind::torus, 2, 5);
    spindle.minor_radius = random.uniform(1.2, 2) * spindle.radius;
    const double tip = std::acos(-spindle.radius / spindle.minor_radius);  // where the branches meet on the axis
    for (const bool lemon : {false, true}) {
      Patch of_branch;
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
          const double along =
              lemon ? tip + (2 * std::numbers::pi - 2 * tip) * (j + 1) / 9 : tip * (2 * (j + 1) / 9.0 - 1);
          Vec3 n;
          of_branch.points.push_back(test::place_on(SurfaceKind::torus, spindle, 0.7 * i, along, n));
          of_branch.normals.push_back(n);
        }
      const auto branch = fit_analytic(of_branch.points, of_branch.normals, k_tolerance);
      ASSERT_TRUE(branch) << lemon;
      EXPECT_EQ(branch->kind, SurfaceKind::torus);
      EXPECT_NEAR(branch->surface.radius, spindle.radius, 1e-7);
      EXPECT_NEAR(branch->surface.minor_radius, spindle.minor_radius, 1e-7);
      EXPECT_LT(branch->residual, 1e-9);
    }
  }
}

TEST(AnalyticFit, RefusesWhatCannotBeTold) {
  const std::vector<Vec3> up(4, {0, 0, 1});
  const std::vector<Point3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  ASSERT_TRUE(fit_analytic(square, up, k_tolerance));
  EXPECT_EQ(fit_analytic(square, up, k_tolerance)->surface.axis, (Vec3{0, 0, 1}));
  const double nan = std::nan("");
  EXPECT_FALSE(fit_analytic({}, {}, k_tolerance));
  EXPECT_FALSE(fit_analytic(square, std::span(up).first(3), k_tolerance)) << "a normal for each point";
  EXPECT_FALSE(fit_analytic(square, up, 0));
  EXPECT_FALSE(fit_analytic(square, up, nan));
  EXPECT_FALSE(fit_analytic(std::vector<Point3>(4, {1, 2, 3}), up, k_tolerance)) << "one place";
  EXPECT_FALSE(fit_analytic(std::vector<Point3>{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}}, up, k_tolerance));
  EXPECT_FALSE(fit_analytic(std::vector<Point3>{{0, 0, 0}, {1, 0, 0}, {1, 1, nan}, {0, 1, 0}}, up, k_tolerance));
  EXPECT_FALSE(fit_analytic(std::vector<Point3>{{0, 0, 0}, {1e308, 0, 0}, {-1e308, 1, 0}, {0, 1, 0}}, up, k_tolerance));
  EXPECT_FALSE(fit_analytic(square, std::vector<Vec3>(4), k_tolerance)) << "no normal at all";
  EXPECT_FALSE(fit_analytic(square, std::vector<Vec3>(4, {nan, 0, 1}), k_tolerance));
  // Five points of a sphere are on some sphere always.
  EXPECT_FALSE(fit_analytic(std::vector<Point3>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}},
                            std::vector<Vec3>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}}, k_tolerance));
}

TEST(SmallMatrix, EigenvectorsDiagonaliseAndSolutionsSolve) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    geometry::SmallMatrix<6> m{};
    for (int i = 0; i < 8; ++i) {
      geometry::SmallVector<6> v;
      for (double& c : v) c = random.uniform(-1, 1);
      geometry::add_square(m, v);
    }
    const auto eigen = geometry::symmetric_eigen(m);
    for (std::size_t k = 0; k < 6; ++k) {
      if (k > 0) {
        EXPECT_GE(eigen.value[k], eigen.value[k - 1]);
      }
      for (std::size_t i = 0; i < 6; ++i) {
        double product = 0;
        for (std::size_t j = 0; j < 6; ++j) product += m[i][j] * eigen.vector[k][j];
        EXPECT_NEAR(product, eigen.value[k] * eigen.vector[k][i], 1e-13);
      }
    }
    const auto x = geometry::solve(m, eigen.vector[5]);
    ASSERT_TRUE(x);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR((*x)[i] * eigen.value[5], eigen.vector[5][i], 1e-8);
  }
  EXPECT_FALSE(geometry::solve<2>({{{1, 2}, {2, 4}}}, {1, 1}));
}

TEST(Trig, AngleOfADirection) {
  EXPECT_EQ(support::angle_of(0, 0), 0);
  EXPECT_EQ(support::angle_of(1, 0), 0);
  EXPECT_EQ(support::angle_of(-1, 0), support::k_pi);
  Random random(3);
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const double y = std::pow(10.0, random.uniform(-12, 3)), x = random.uniform(-1, 1);
    const long double exact = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
    worst = std::max(worst, static_cast<double>(std::abs(support::angle_of(x, y) - exact) / exact));
  }
  EXPECT_LT(worst, 2e-15);
}

}  // namespace
}  // namespace snug
