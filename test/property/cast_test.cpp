#include "aligned_support.hpp"
#include "any_shape.hpp"
#include "primitive_support.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

// Rays and moving bodies, held to brute force over triangles and to searches of the time at which convex bodies are nearest.

namespace snug {
namespace {

using scenes::Random;
using test::Long;
using Kind = Primitive::Kind;
using test::cast_ray, test::cast_shape, test::distance, test::intersects, test::ray_meets, test::resolution;

double length_of(const Vec3& v) { return double(length(test::wide(v))); }

constexpr double k_cast = 1e-10;  // of sizes and way: what snug/cast.hpp promises

std::optional<RayCastHit> brute_ray(const Ray& ray, const Shape& shape, const Pose& pose, double t_max) {
  std::optional<RayCastHit> best;
  for (std::uint32_t t = 0; t < shape.mesh().triangles().size(); ++t) {
    const auto hit = ray_hit(ray, test::posed(shape.mesh().view().triangle(t), pose));
    if (!hit || hit->t > t_max || (best && hit->t >= best->t)) continue;
    best.emplace();
    best->t = hit->t, best->from_inside = hit->from_inside, best->triangle = t;
    best->surface = shape.mesh().surface_of(t);
  }
  return best;
}

void expect_same(const std::optional<RayCastHit>& found, const std::optional<RayCastHit>& expected) {
  ASSERT_EQ(found.has_value(), expected.has_value());
  if (!found) return;
  EXPECT_EQ(found->t, expected->t);
  EXPECT_EQ(found->triangle, expected->triangle);
  EXPECT_EQ(found->surface, expected->surface);
  EXPECT_EQ(found->from_inside, expected->from_inside);
}

TEST(Casts, RaysAgreeWithAllTrianglesOneByOne) {
  const std::array shapes{scenes::torus(1, 0.3, 14, 9), scenes::box({-1, -1, -1}, {1, 1, 1}),
                          scenes::bumpy_knot(60, 8)};
  std::size_t hits = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-200, 1e-3, 1.0, 1e4, 1e200}[random.below(5)];
    const Shape shape(test::scaled(shapes[random.below(shapes.size())], scale));
    const Vec3 far = (random.below(3) == 0 ? 1e7 * scale : 0.0) * random.point(-1, 1);
    const Pose pose = Pose::make(random.rotation(), far + scale * random.point(-1, 1)).value();
    for (int i = 0; i < 8; ++i) {
      const Point3 from = far + (scale * (random.below(4) == 0 ? 100 : 2)) * random.point(-1, 1);
      // At a corner, into an edge, at the middle, or anywhere; of any length.
      const Triangle target =
          test::posed(shape.mesh().view().triangle(random.below(shape.mesh().triangles().size())), pose);
      const Point3 aim = i % 4 == 0   ? target[0]
                         : i % 4 == 1 ? 0.5 * target[0] + 0.5 * target[1]
                         : i % 4 == 2 ? pose.translation()
                                      : far + scale * random.point(-2, 2);
      const Ray ray{from, (i % 3 == 0 ? 1e-5 : 1.0) * (aim - from)};
      const auto found = cast_ray(ray, shape, pose).value(), expected = brute_ray(ray, shape, pose, 1e300);
      expect_same(found, expected);
      EXPECT_EQ(ray_meets(ray, shape, pose).value(), expected.has_value());
      if (!expected) continue;
      ++hits;
      expect_same(cast_ray(ray, shape, pose, expected->t).value(), expected);
      EXPECT_EQ(cast_ray(ray, shape, pose, 0.999 * expected->t).value().has_value(),
                brute_ray(ray, shape, pose, 0.999 * expected->t).has_value());
      EXPECT_NEAR(double(length(test::wide(found->normal))), 1, 1e-12);
    }
  }
  EXPECT_GT(hits, 0U);
}

TEST(Casts, NoRayLeavesAClosedMeshUnseen) {
  for (std::uint64_t seed = 0; seed < test::scaled(20); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Shape shape(seed % 2 == 0 ? scenes::sphere(1, 12, 16) : scenes::box({-1, -1, -1}, {1, 1, 1}));
    const Pose pose = seed % 4 < 2 ? Pose::make(random.rotation(), 100.0 * random.point(-1, 1)).value() : Pose();
    const Point3 inside = pose.apply(0.3 * random.point(-1, 1));
    const auto view = shape.mesh().view();
    for (std::uint32_t t = 0; t < view.triangles.size(); ++t) {
      const Triangle corners = test::posed(view.triangle(t), pose);
      for (std::size_t k = 0; k < 3; ++k)
        for (const double s : {0.0, 0.5, random.uniform(0, 1)}) {
          const Point3 on_edge = corners[k] + s * (corners[(k + 1) % 3] - corners[k]);
          const auto hit = cast_ray({inside, on_edge - inside}, shape, pose).value();
          ASSERT_TRUE(hit.has_value()) << "triangle " << t << ", edge " << k << ", " << s;
          EXPECT_NEAR(hit->t, 1, 1e-9);
          EXPECT_TRUE(hit->from_inside);
          EXPECT_TRUE(ray_meets({inside, on_edge - inside}, shape, pose).value());
        }
    }
  }
}

/// When a convex function of [0, end] is smallest, by thirds.
template <class F>
double argmin(F&& f, double end) {
  double lo = 0, hi = end;
  for (int i = 0; i < 200; ++i) {
    const double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
    if (f(a) <= f(b))
      hi = b;
    else
      lo = a;
  }
  return 0.5 * (lo + hi);
}

TEST(Casts, RaysMeetPrimitivesWhenTheyReachThem) {
  std::size_t hits = 0, misses = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-3, 1.0, 1e4}[random.below(3)];
    Kind kind = test::k_kinds[random.below(test::k_kinds.size())];
    if (kind == Kind::hull) kind = Kind::triangle;  // hulls have no closed form
    const Primitive p = test::random_primitive(random, kind, {scale, random.below(4) == 0});
    const Vec3 far = (random.below(3) == 0 ? 1e7 : 0.0) * random.point(-1, 1);
    const Pose pose = Pose::make(random.rotation(), far + scale * random.point(-1, 1)).value();
    const Point3 from = far + 3 * scale * random.point(-1, 1);
    const Vec3 way = (far + scale * random.point(-1, 1)) - from;
    const auto gap_at = [&](double t) {
      const auto at = test::wide(from) + Long(t) * test::wide(way);
      return double(length(test::nearest(p, pose, at) - at));
    };
    const double end = 20, e = k_cast * (10 * scale) + 1e-15 * length_of(far);
    const double nearest_at = argmin(gap_at, end), nearest = gap_at(nearest_at);
    const auto hit = cast_ray({from, way}, p, pose, end).value();
    EXPECT_EQ(ray_meets({from, way}, p, pose, end).value(), hit.has_value());
    if (!hit) {
      EXPECT_GT(nearest, 0);
      ++misses;
      continue;
    }
    ++hits;
    EXPECT_LE(gap_at(hit->t), e) << "at t it is there";
    if (hit->t == 0) {
      EXPECT_TRUE(hit->from_inside);
      continue;
    }
    for (int i = 0; i < 8; ++i) {
      EXPECT_GT(gap_at(hit->t * (1 - std::pow(0.2, i + 1)) - 1e-12 - e / scale), 0) << "and not before";
    }
    EXPECT_NEAR(double(length(test::wide(hit->normal))), 1, 1e-9);
    EXPECT_LT(double(dot(test::wide(hit->normal), test::wide(way))), 0) << "the normal faces the ray";
    EXPECT_FALSE(cast_ray({from, way}, p, pose, 0.9 * hit->t).value().has_value());
    const auto again = cast_ray({from, way}, p, pose, hit->t).value();
    ASSERT_TRUE(again.has_value()) << "at its own time it is still hit";
    EXPECT_EQ(again->t, hit->t);
  }
  EXPECT_GT(hits, 0U);
  EXPECT_GT(misses, 0U);
}

TEST(Casts, ScenesTellTheFirstOfBodiesThatLieFlush) {
  const Shape block(Primitive::box({1, 1, 1}).value()), ball(Primitive::sphere(0.1).value());
  const Shape mesh(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5})), small(scenes::sphere(0.1, 6, 9));
  SceneScratch scratch;
  std::size_t both = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(2000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose poses[2] = {Pose::make({1, 0, 0, random.uniform(-1, 1)}, {0, 0, -0.5}).value(),
                           Pose::make({1, 0, 0, random.uniform(-1, 1)}, {0, 0, -0.5}).value()};
    Scene scene;
    const bool of_mesh = seed % 3 == 0;
    BodyId ids[2] = {scene.add(block, poses[0]).value(),
                     of_mesh ? scene.add(mesh, poses[1]).value() : scene.add(block, poses[1]).value()};
    /// Whether what the scene tells is the first of both; equal times go to the smaller id.
    const auto expect_first = [&](const auto& told, const auto& one, const auto& two) {
      ASSERT_EQ(told.has_value(), one || two);
      if (!told) return;
      const bool second = !one || (two && two->t < one->t);
      EXPECT_EQ(told->hit.t, second ? two->t : one->t);
      EXPECT_EQ(told->body, ids[second ? 1 : 0]);
      both += one && two ? 1 : 0;
    };
    const Ray axial{{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(0.5, 1.5)}, {0, 0, -1}};
    const Ray slanting{axial.origin, {random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), -1}};
    for (const Ray& ray : {axial, slanting})
      expect_first(scene.cast_ray(ray, scratch).value(), cast_ray(ray, block, poses[0]).value(),
                   of_mesh ? cast_ray(ray, mesh, poses[1]).value() : cast_ray(ray, block, poses[1]).value());
    const Pose above = translation(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 1);
    const Vec3 down{0, 0, -2};
    const auto cast_all = [&](const auto& moving) {
      expect_first(scene.cast_shape(moving, above, down, scratch).value(),
                   cast_shape(moving, above, down, block, poses[0]).value(),
                   of_mesh ? cast_shape(moving, above, down, mesh, poses[1]).value()
                           : cast_shape(moving, above, down, block, poses[1]).value());
    };
    cast_all(ball);
    cast_all(small);
  }
  EXPECT_GT(both, 3 * test::scaled(2000));
}

TEST(Casts, MovingPrimitivesMeetWhenTheirDistanceVanishes) {
  std::size_t hits = 0, misses = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-3, 1.0, 1e4}[random.below(3)];
    Kind kind = test::k_kinds[random.below(test::k_kinds.size())];
    if (kind == Kind::half_space || kind == Kind::plane) kind = Kind::hull;
    const Primitive moving = test::random_primitive(random, kind, {scale, random.below(4) == 0});
    const Primitive other = test::random_primitive(random, test::k_kinds[random.below(test::k_kinds.size())],
                                                   {scale, random.below(4) == 0});
    const Vec3 far = (random.below(3) == 0 ? 1e7 : 0.0) * random.point(-1, 1);
    const Pose pose = Pose::make(random.rotation(), far + 2.5 * scale * random.point(-1, 1)).value();
    const Pose still = Pose::make(random.rotation(), far).value();
    const Vec3 motion = (far + scale * random.point(-1, 1)) - pose.translation();
    const auto at = [&](double t) {
      return Pose::make(pose.rotation(), pose.translation() + t * (1.2 * motion)).value();
    };
    const auto gap_at = [&](double t) { return distance(moving, at(t), other, still).value; };
    const double e = k_cast * (10 * scale) + 1e-14 * length_of(far);
    const auto hit = cast_shape(moving, pose, 1.2 * motion, other, still).value();
    if (!hit) {
      EXPECT_GT(gap_at(argmin(gap_at, 1)), 0);
      ++misses;
      continue;
    }
    ++hits;
    EXPECT_LE(hit->gap, e);
    EXPECT_LE(gap_at(hit->t), hit->gap + e);
    const double speed = std::max(1.2 * double(length(test::wide(motion))), 1e-300);
    for (int i = 0; i < 8; ++i) {
      const double before = hit->t * (1 - std::pow(0.1, i + 1)) - 2 * e / speed;
      if (before <= 0) continue;
      EXPECT_FALSE(intersects(moving, at(before), other, still)) << before << " before " << hit->t;
    }
    EXPECT_NEAR(double(length(test::wide(hit->on_moving) - test::wide(hit->on_other))), hit->gap, e);
    // Moving the other one the other way takes as long.
    if (other.bounded()) {
      const auto back = cast_shape(other, still, -1.2 * motion, moving, pose).value();
      ASSERT_TRUE(back.has_value());
      if (gap_at(std::min(1.0, hit->t + 1e-3)) == 0) {
        EXPECT_NEAR(back->t, hit->t, 1e-4);
      }
    }
  }
  EXPECT_GT(hits, 0U);
  EXPECT_GT(misses, 0U);
}

TEST(Casts, MeshesAndPrimitivesAgreeWithTheirTrianglesOneByOne) {
  const Mesh torus = scenes::torus(1, 0.3, 10, 7);
  std::size_t hits = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-3, 1.0, 1e4}[random.below(3)];
    const Shape shape(test::scaled(torus, scale));
    Kind kind = test::k_kinds[random.below(test::k_kinds.size())];
    const Primitive p = test::random_primitive(random, kind, {0.4 * scale, random.below(4) == 0});
    const Vec3 far = (random.below(3) == 0 ? 1e7 : 0.0) * random.point(-1, 1);
    const Pose pose = Pose::make(random.rotation(), far + 4 * scale * random.point(-1, 1)).value();
    const Pose pose_mesh = Pose::make(random.rotation(), far).value();
    const Vec3 motion = 1.2 * ((far + scale * random.point(-1, 1)) - pose.translation());
    double first = 2;
    for (std::uint32_t t = 0; t < shape.mesh().triangles().size(); ++t) {
      const Primitive triangle =
          Primitive::hull(test::posed(shape.mesh().view().triangle(t), pose_mesh).corner).value();
      if (const auto one = cast_shape(triangle, {}, -motion, p, pose).value()) first = std::min(first, one->t);
    }
    const auto found = cast_shape(shape, pose_mesh, -motion, p, pose).value();
    EXPECT_EQ(found.has_value(), first <= 1);
    if (found) {
      EXPECT_NEAR(found->t, first, 1e-6 + 1e-12 * length_of(far) / length_of(motion));
      EXPECT_NE(found->triangle_moving, ShapeCastHit::k_none);
      EXPECT_EQ(found->triangle_other, ShapeCastHit::k_none);
      ++hits;
    }
    if (!p.bounded()) continue;
    const auto other_way = cast_shape(p, pose, motion, shape, pose_mesh).value();
    ASSERT_EQ(other_way.has_value(), found.has_value());
    if (!found) continue;
    EXPECT_EQ(other_way->t, found->t);
    EXPECT_EQ(other_way->triangle_other, found->triangle_moving);
    const Pose there = Pose::make(pose.rotation(), pose.translation() + other_way->t * motion).value();
    EXPECT_LE(distance(p, there, shape, pose_mesh).value, k_cast * 20 * scale + 1e-14 * length_of(far));
  }
  EXPECT_GT(hits, 0U);
}

TEST(Casts, GapsHoldForWhatIsNamed) {
  // Round bodies of many triangles meet several of them within the same hair of time.
  const std::array shapes{Shape(scenes::sphere(1, 30, 40)), Shape(scenes::torus(1, 0.3, 30, 16)),
                          Shape(scenes::cylinder(0.6, 1.5, 60))};
  Scratch scratch;
  std::size_t hits = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(120); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Shape &a = shapes[random.below(3)], &b = shapes[random.below(3)];
    const Pose turned = Pose::make(random.rotation(), 3.0 * random.point(-1, 1)).value();
    const Pose pose = seed % 3 == 0 ? translation(0, 0, 4) : turned;
    const Vec3 motion = seed % 3 == 0 ? Vec3{0, 0, -4} : 2 * (0.5 * random.point(-1, 1) - pose.translation());
    const auto hit = cast_shape(a, pose, motion, b, {}).value();
    if (!hit || hit->t == 0) continue;
    ++hits;
    const Pose there = Pose::make(pose.rotation(), pose.translation() + hit->t * motion).value();
    EXPECT_LE(distance(a, there, b, {}, scratch).value, hit->gap + 1e-14);
    const auto apart = closest_points(test::posed(a.mesh().view().triangle(hit->triangle_moving), there),
                                      b.mesh().view().triangle(hit->triangle_other));
    EXPECT_LE(apart.distance, hit->gap + 1e-14) << "of the triangles named";
    EXPECT_LE(hit->gap, k_cast * 20);
  }
  EXPECT_GT(hits, 0U);
}

TEST(Casts, MovingMeshesMissNothing) {
  const std::array meshes{scenes::torus(1, 0.3, 10, 7), scenes::box({-1, -1, -0.0005}, {1, 1, 0.0005}),
                          scenes::sphere(0.5, 6, 8)};
  Scratch scratch;
  std::size_t hits = 0, misses = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(80); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-3, 1.0, 1e4}[random.below(3)];
    const Shape a(test::scaled(meshes[random.below(3)], scale)), b(test::scaled(meshes[random.below(3)], scale));
    const Vec3 far = (random.below(3) == 0 ? 1e7 : 0.0) * random.point(-1, 1);
    const Pose pose = Pose::make(random.rotation(), far + 4 * scale * random.point(-1, 1)).value();
    const Pose still = Pose::make(random.rotation(), far).value();
    const Vec3 motion = 2 * ((far + 1.2 * scale * random.point(-1, 1)) - pose.translation());
    const auto at = [&](double t) { return Pose::make(pose.rotation(), pose.translation() + t * motion).value(); };
    const auto hit = cast_shape(a, pose, motion, b, still).value();
    const double e = k_cast * 20 * scale + 1e-14 * length_of(far), end = hit ? hit->t : 1;
    const double speed = std::max(length_of(motion), 1e-300);
    for (int i = 0; i < 60; ++i) {
      const double before = (i % 2 == 0 ? random.uniform(0, 1) : 1 - std::pow(0.5, i / 2 + 1)) * end - e / speed;
      if (before > 0) {
        ASSERT_FALSE(intersects(a, at(before), b, still, scratch)) << before << " of " << end;
      }
    }
    const auto back = cast_shape(b, still, -motion, a, pose).value();
    EXPECT_EQ(back.has_value(), hit.has_value());
    ++(hit ? hits : misses);
    if (!hit) continue;
    EXPECT_LE(distance(a, at(hit->t), b, still, scratch).value, hit->gap + e);
    EXPECT_LE(hit->gap, e);
    EXPECT_NEAR(back->t, hit->t, 1e-6 + 100 * e / speed);
    const auto closest = distance(a, at(hit->t), b, still, scratch);
    EXPECT_NEAR(double(length(test::wide(hit->on_moving) - test::wide(closest.on_a))), 0, 3 * scale);
  }
  EXPECT_GT(hits, 0U);
  EXPECT_GT(misses, 0U);
}

}  // namespace
}  // namespace snug
