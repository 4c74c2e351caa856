#include "analytic_bodies.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

// Contacts of tessellated spheres, boxes, capsules, cylinders and tori beside those of the bodies they stand for.

namespace snug {
namespace {

using test::AnalyticBody;
using Normal = RayContactOptions::Normal;

std::vector<AnalyticBody> analytic_bodies() {
  return {test::analytic_sphere(0.5, 24, 48), test::analytic_box({0.5, 0.35, 0.6}),
          test::analytic_capsule(0.3, 0.4, 24, 48), test::analytic_cylinder(0.4, 0.5, 48),
          test::analytic_torus(0.6, 0.2, 64, 32)};
}

/// The least over all directions of how far b reaches beyond where a begins: the shortest translation of convex bodies.
struct Least {
  double depth = std::numeric_limits<double>::infinity();
  Vec3 normal;
};

class ShortestTranslation {
 public:
  ShortestTranslation(const AnalyticBody& a, const Pose& turn_a, const AnalyticBody& b, const Pose& pose_b)
      : a_(a), b_(b), turn_(turn_a), pose_b_(pose_b) {
    for (int i = 0; i < k_grid; ++i) {
      const double z = 1 - (2 * i + 1.0) / k_grid, r = std::sqrt(1 - z * z), turn = 2.399963229728653 * i;
      const Vec3 n{r * std::cos(turn), r * std::sin(turn), z};
      grid_.push_back({along(n, pose_b.translation()), n});
    }
  }
  /// Along one direction, with a moved to `at`.
  [[nodiscard]] double along(const Vec3& n, const Point3& at) const {
    return a_.reach(test::turned_back(turn_, -n)) + b_.reach(test::turned_back(pose_b_, n)) +
           n.dot(pose_b_.translation() - at);
  }
  /// Over the grid of directions, some seven degrees apart, alone.
  [[nodiscard]] double roughly(const Point3& at) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Least& one : grid_) least = std::min(least, one.depth + one.normal.dot(pose_b_.translation() - at));
    return least;
  }
  /// Downhill from the best of the grid, and from `hint`, with smaller and smaller steps.
  [[nodiscard]] Least exactly(const Point3& at, const Vec3& hint) const {
    std::vector<Least> starts = grid_;
    for (Least& one : starts) one.depth += one.normal.dot(pose_b_.translation() - at);
    std::ranges::partial_sort(starts, starts.begin() + 8, {}, &Least::depth);
    starts.resize(8);
    starts.push_back({along(hint, at), hint});
    Least best;
    for (const Least& start : starts)
      if (const Least one = downhill(start, at); one.depth < best.depth) best = one;
    return best;
  }

 private:
  [[nodiscard]] Least downhill(Least here, const Point3& at) const {
    // The directions of the steps turn, so that none of the ridges where two edges face each other stops all of them.
    double turn = 0;
    for (double step = 0.1; step > 1e-9; turn += 2.399963229728653) {
      const Vec3 x = here.normal.cross(std::abs(here.normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}).normalized();
      const Vec3 y = here.normal.cross(x);
      Least next = here;
      for (int k = 0; k < 6; ++k) {
        const double angle = turn + k * test::k_pi / 3;
        const Vec3 n = (here.normal + (step * std::cos(angle)) * x + (step * std::sin(angle)) * y).normalized();
        if (const double depth = along(n, at); depth < next.depth) next = {depth, n};
      }
      next.depth < here.depth ? void(here = next) : void(step *= 0.85);
    }
    return here;
  }

  static constexpr int k_grid = 1000;
  const AnalyticBody &a_, &b_;
  Pose turn_, pose_b_;
  std::vector<Least> grid_;
};

TEST(ContactsOfAnalyticBodies, OnAPlaneHaveItsNormalAndTheDepthOfTheLowestPoint) {
  // Every curve lies in the plane, so nothing of the tessellation is left in the normal.
  const Shape ground(scenes::box({-20, -20, -40}, {20, 20, 0}));
  Scratch scratch;
  for (const AnalyticBody& body : analytic_bodies()) {
    SCOPED_TRACE(body.name);
    const Shape shape(body.mesh);
    for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      scenes::Random random(seed);
      const Pose turn = Pose::make(random.rotation(), {}).value(), world = random.pose(3);
      const double lowest = -body.reach(test::turned_back(turn, {0, 0, -1}));
      const double depth = random.uniform(body.sag + 1e-6, 0.15);
      const Point3 at{random.uniform(-3, 3), random.uniform(-3, 3), -lowest - depth};
      const Pose pose = compose(world, Pose::make(turn.rotation(), at).value());
      const Vec3 up = test::turned(world, {0, 0, 1});
      for (const Normal normal : {Normal::smooth, Normal::minimum}) {
        const auto found = contacts(shape, pose, ground, world, scratch, {.normal = normal}).value();
        ASSERT_FALSE(found.patches.empty());
        double deepest = 0;
        for (const ContactArea& patch : found.patches) {
          EXPECT_LT(test::angle_between(patch.normal, up), 1e-9);
          deepest = std::max(deepest, patch.depth);
        }
        EXPECT_LT(deepest, depth + 1e-9);
        EXPECT_GT(deepest, depth - body.sag - 1e-9);
      }
    }
  }
}

TEST(ContactsOfAnalyticBodies, OnEachOtherAreTheShortestTranslationWithinTheSag) {
  // The meshes of convex bodies lie in them and within `sag` of them. So along each direction their depth is that of the bodies, or less by
  // at most both sags; the same holds for the least of all directions. Along the direction found the bodies are no deeper than their least
  // depth and the sags. Where balls of radii R together are swept over the rest, a direction at an angle t to the true one is deeper by at
  // least (R - depth) * (1 - cos t), which bounds t.
  Scratch scratch;
  std::vector<AnalyticBody> bodies = analytic_bodies();
  bodies.pop_back();  // the torus is not convex
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = i; j < bodies.size(); ++j) {
      const AnalyticBody &a = bodies[i], &b = bodies[j];
      SCOPED_TRACE(testing::Message() << a.name << " on " << b.name);
      const Shape shape_a(a.mesh), shape_b(b.mesh);
      const double sag = a.sag + b.sag;
      std::uint64_t compared = 0;
      for (std::uint64_t seed = 0; seed < test::scaled(150); ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        scenes::Random random(seed);
        const Pose pose_b = random.pose(1), turn = Pose::make(random.rotation(), {}).value();
        const ShortestTranslation translation(a, turn, b, pose_b);
        const Vec3 way = test::some_direction(random);
        const double wanted = random.uniform(2 * sag + 1e-3, 0.1);
        const auto at = [&](double far) { return pose_b.translation() + far * way; };
        double near = 0, far = 4;
        for (int k = 0; k < 20; ++k) {
          const double middle = 0.5 * (near + far);
          (translation.roughly(at(middle)) > wanted ? near : far) = middle;
        }
        const Pose pose_a = Pose::make(turn.rotation(), at(near)).value();
        const auto found = contacts(shape_a, pose_a, shape_b, pose_b, scratch).value();
        const Least truth =
            translation.exactly(pose_a.translation(), found.patches.empty() ? way : found.patches[0].normal);
        if (truth.depth < sag + 2e-3) continue;
        ++compared;
        ASSERT_EQ(found.patches.size(), 1U);
        const ContactArea& patch = found.patches[0];
        EXPECT_LT(patch.depth, truth.depth + sag + 1e-9);  // a local minimum may be longer than the least
        EXPECT_GT(patch.depth, truth.depth - sag - 1e-9);
        const double along = translation.along(patch.normal, pose_a.translation());
        EXPECT_LT(along, truth.depth + sag + 1e-6);
        if (const double ball = a.ball + b.ball; ball > truth.depth) {
          const double most = std::acos(1 - sag / (ball - truth.depth));
          EXPECT_LT(test::angle_between(patch.normal, truth.normal), most + 1e-6);
        }
      }
      EXPECT_GT(compared, test::scaled(150) * 3 / 4);
    }
}

/// The nearest points of two lines that balls are swept along: circles around the z axis, stretches of it, or points.
struct Core {
  double radius = 0, half_length = 0;
  [[nodiscard]] Point3 at(double t) const {  // t in [0, 1)
    if (radius > 0) return {radius * std::cos(2 * test::k_pi * t), radius * std::sin(2 * test::k_pi * t), 0};
    return {0, 0, half_length * std::clamp(4 * std::abs(t - 0.5) - 1, -1.0, 1.0)};
  }
};
struct Nearest {
  double distance = std::numeric_limits<double>::infinity();
  Vec3 apart;  ///< from b to a, unit
  Point3 at;   ///< on b's
};
/// True if places are nearer than `distance` that are further than `length` from the nearest.
bool is_long(const Core& a, const Pose& pose_a, const Core& b, const Pose& pose_b, const Nearest& from, double distance,
             double length) {
  constexpr int k_steps = 48;
  for (int i = 0; i < k_steps; ++i)
    for (int j = 0; j < k_steps; ++j) {
      const Point3 on_a = pose_a.apply(a.at(i / double(k_steps))), on_b = pose_b.apply(b.at(j / double(k_steps)));
      if ((on_a - on_b).length() < distance && (on_b - from.at).length() > length) return true;
    }
  return false;
}
Nearest nearest(const Core& a, const Pose& pose_a, const Core& b, const Pose& pose_b) {
  double s = 0, t = 0, least = std::numeric_limits<double>::infinity();
  const auto between = [&](double u, double v) { return pose_a.apply(a.at(u)) - pose_b.apply(b.at(v)); };
  const auto offer = [&](double u, double v) {
    if (const double d = between(u, v).length(); d < least) least = d, s = u, t = v;
  };
  constexpr int k_steps = 48;
  for (int i = 0; i < k_steps; ++i)
    for (int j = 0; j < k_steps; ++j) offer(i / double(k_steps), j / double(k_steps));
  for (double step = 1.0 / k_steps; step > 1e-10; step *= 0.8) {
    const double u = s, v = t;
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j) offer(u + i * step, v + j * step);
  }
  return {least, between(s, t).normalized(), pose_b.apply(b.at(t))};
}

TEST(ContactsOfAnalyticBodies, OnATorusAreThoseOfItsTube) {
  // Two tubes around cores: as deep as their radii together exceed the distance of the cores, in the direction between these. The mesh of a
  // torus lies inside of it where it bulges and outside where it is hollow. The direction is a normal of a face near the deepest place, or a
  // mean of those around it. A body that is separated along a direction at an angle to the shortest goes at most 1 / cos as far.
  const AnalyticBody torus = test::analytic_torus(0.6, 0.2, 64, 32);
  const Core circle{.radius = 0.6};
  const Shape ring(torus.mesh);
  struct Other {
    AnalyticBody body;
    Core core;
  };
  const Other others[] = {{test::analytic_sphere(0.3, 24, 48), {}},
                          {test::analytic_capsule(0.15, 0.4, 16, 32), {.half_length = 0.4}},
                          {torus, circle}};
  Scratch scratch;
  for (const auto& [body, core] : others) {
    SCOPED_TRACE(body.name);
    const Shape shape(body.mesh);
    const double sag = torus.sag + body.sag, balls = torus.ball + body.ball;
    std::uint64_t compared = 0;
    for (std::uint64_t seed = 0; seed < test::scaled(100); ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      scenes::Random random(seed);
      const Pose pose_b = random.pose(1);
      const Quaternion turn = random.rotation();
      const Vec3 way = test::some_direction(random);
      const double wanted = random.uniform(2 * sag, 0.08);
      const Point3 from = pose_b.apply(random.point(-0.3, 0.3));
      const auto at = [&](double far) { return Pose::make(turn, from + far * way).value(); };
      double near = 0, far = 4;
      for (int i = 0; i < 12; ++i) {
        const double middle = 0.5 * (near + far);
        (nearest(core, at(middle), circle, pose_b).distance < balls - wanted ? near : far) = middle;
      }
      const Nearest truth = nearest(core, at(near), circle, pose_b);
      const double depth = balls - truth.distance;
      if (depth < 2 * sag || depth > 0.09) continue;
      // Tubes that run along each other overlap in a long and bent region, which no short translation resolves.
      if (is_long(core, at(near), circle, pose_b, truth, balls, 0.35)) continue;
      for (const Normal normal : {Normal::smooth, Normal::minimum}) {
        const auto found = contacts(shape, at(near), ring, pose_b, scratch, {.normal = normal}).value();
        ASSERT_FALSE(found.patches.empty());
        // There may be a second region, where the bodies are about as deep.
        const ContactArea& patch = *std::ranges::min_element(
            found.patches, {}, [&](const ContactArea& one) { return (one.centre - truth.at).length(); });
        const double angle = test::angle_between(patch.normal, truth.apart);
        EXPECT_LT(angle, body.angle + torus.angle);
        EXPECT_GT(patch.depth, depth - sag);
        EXPECT_LT(patch.depth, (normal == Normal::smooth ? depth / std::cos(angle) : depth) + sag);
      }
      ++compared;
    }
    EXPECT_GT(compared, test::scaled(100) / 2);
  }
}

}  // namespace
}  // namespace snug
