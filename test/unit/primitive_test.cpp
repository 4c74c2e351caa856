#include "any_shape.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace snug {
namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN(), k_infinity = std::numeric_limits<double>::infinity();

using Code = PrimitiveError::Code;
using test::cast_ray, test::cast_shape, test::distance, test::intersects, test::ray_meets, test::resolution,
    test::triangles_meeting, test::within;

Code code_of(const Result<Primitive, PrimitiveError>& result) {
  EXPECT_FALSE(result.has_value());
  if (result.has_value()) return Code::no_points;
  EXPECT_FALSE(result.error().message().empty());
  return result.error().code;
}

Shape sphere(double radius) { return Shape(Primitive::sphere(radius).value()); }
Shape box(double x, double y, double z) { return Shape(Primitive::box({x, y, z}).value()); }

TEST(Primitive, RefusesWhatIsNoBody) {
  for (const double bad : {k_nan, k_infinity, -k_infinity}) {
    EXPECT_EQ(code_of(Primitive::sphere(bad)), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::capsule(1, bad)), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::capsule(bad, 1)), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::box({1, bad, 1})), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::cylinder(1, bad)), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::half_space({0, bad, 1})), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::half_space({0, 0, 1}, bad)), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::hull(std::vector<Point3>{{0, 0, 0}, {1, bad, 0}})), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::cone(1, bad)), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::cone(bad, 1)), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::ellipsoid({1, 1, bad})), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::plane({0, bad, 1})), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::plane({0, 0, 1}, bad)), Code::not_finite);
    EXPECT_EQ(code_of(Primitive::triangle({{Point3{0, 0, 0}, Point3{1, bad, 0}, Point3{}}})), Code::not_finite);
  }
  EXPECT_EQ(code_of(Primitive::sphere(-1)), Code::negative_size);
  EXPECT_EQ(code_of(Primitive::capsule(1, -1)), Code::negative_size);
  EXPECT_EQ(code_of(Primitive::box({1, 1, -1e-300})), Code::negative_size);
  EXPECT_EQ(code_of(Primitive::cylinder(-1, 1)), Code::negative_size);
  EXPECT_EQ(code_of(Primitive::sphere(1e300)), Code::too_large);
  EXPECT_EQ(code_of(Primitive::hull(std::vector<Point3>{{1e305, 0, 0}})), Code::too_large);
  EXPECT_EQ(code_of(Primitive::half_space({0, 0, 0})), Code::zero_normal);
  EXPECT_EQ(code_of(Primitive::hull({})), Code::no_points);
  EXPECT_EQ(code_of(Primitive::cone(1, -1)), Code::negative_size);
  EXPECT_EQ(code_of(Primitive::ellipsoid({1, -1, 1})), Code::negative_size);
  EXPECT_EQ(code_of(Primitive::ellipsoid({1, 1e300, 1})), Code::too_large);
  EXPECT_EQ(code_of(Primitive::plane({0, 0, 0})), Code::zero_normal);
  EXPECT_EQ(code_of(Primitive::triangle({{Point3{1e305, 0, 0}, Point3{}, Point3{}}})), Code::too_large);
}

TEST(Primitive, TellsWhatItIs) {
  const Primitive cylinder = Primitive::cylinder(2, 6).value();
  EXPECT_EQ(cylinder.kind(), Primitive::Kind::cylinder);
  EXPECT_EQ(cylinder.radius(), 2);
  EXPECT_EQ(cylinder.half().z, 3);
  EXPECT_EQ(cylinder.bounds(), (Aabb{{-2, -2, -3}, {2, 2, 3}}));
  EXPECT_EQ(Primitive::capsule(1, 4).value().bounds(), (Aabb{{-1, -1, -3}, {1, 1, 3}}));
  const Primitive ground = Primitive::half_space({0, 0, 5}, 2).value();
  EXPECT_EQ(ground.normal(), (Vec3{0, 0, 1}));
  EXPECT_FALSE(ground.bounded());
  EXPECT_EQ(Primitive::hull(std::vector<Point3>{{1, 2, 3}, {4, 5, 6}}).value().points().size(), 2U);
  EXPECT_TRUE(cylinder.points().empty());
  EXPECT_EQ(to_string(Primitive::Kind::half_space), "half-space");
  const Primitive cone = Primitive::cone(2, 6).value(), egg = Primitive::ellipsoid({1, 2, 3}).value();
  EXPECT_EQ(cone.bounds(), cylinder.bounds());
  EXPECT_EQ(cone.radius(), 2);
  EXPECT_EQ(egg.half(), (Vec3{1, 2, 3}));
  EXPECT_EQ(egg.bounds(), (Aabb{{-1, -2, -3}, {1, 2, 3}}));
  const Primitive wall = Primitive::plane({0, 0, -4}, 2).value();
  EXPECT_EQ(wall.normal(), (Vec3{0, 0, -1}));
  EXPECT_FALSE(wall.bounded());
  const Primitive triangle = Primitive::triangle({{Point3{0, 0, 0}, Point3{1, 0, 0}, Point3{0, 1, 0}}}).value();
  EXPECT_EQ(triangle.points().size(), 3U);
  EXPECT_EQ(triangle.bounds(), (Aabb{{0, 0, 0}, {1, 1, 0}}));
  EXPECT_EQ(to_string(Primitive::Kind::cone), "cone");
  EXPECT_EQ(to_string(Primitive::Kind::ellipsoid), "ellipsoid");
  EXPECT_EQ(to_string(Primitive::Kind::plane), "plane");
  EXPECT_EQ(to_string(Primitive::Kind::triangle), "triangle");
}

TEST(Primitive, KnownDistances) {
  EXPECT_EQ(distance(sphere(1), {}, sphere(2), translation(5, 0, 0)).value, 2);
  EXPECT_EQ(distance(sphere(1), {}, box(2, 2, 2), translation(0, 5, 0)).value, 3);
  EXPECT_NEAR(distance(box(2, 2, 2), {}, box(2, 2, 2), translation(3, 3, 3)).value, std::sqrt(3.0), 1e-12);
  const Primitive capsule = Primitive::capsule(0.5, 4).value(), cylinder = Primitive::cylinder(1, 2).value();
  EXPECT_NEAR(
      distance(capsule, {}, capsule, compose(translation(3.5, 0, 0), rotation({0, 1, 0}, 1.5707963267948966))).value,
      0.5, 1e-12)
      << "a rod pointing at another one's middle";
  // Rims of two discs.
  EXPECT_NEAR(distance(cylinder, {}, cylinder, translation(3, 0, 4)).value, std::sqrt(1.0 + 4.0), 1e-12);
  const auto ground = Primitive::half_space({0, 0, 1}, 1).value();
  const auto d = distance(ground, {}, cylinder, translation(7, 0, 5));
  EXPECT_NEAR(d.value, 3, 1e-12);
  EXPECT_NEAR(d.on_a.z, 1, 1e-12);
  EXPECT_NEAR(d.on_b.z, 4, 1e-12);
  EXPECT_EQ(distance(sphere(1), {}, sphere(1), translation(0.5, 0, 0)).value, 0);
  // Half-spaces that face each other, and such that meet somewhere.
  const auto ceiling = Primitive::half_space({0, 0, -1}, -4).value();
  EXPECT_NEAR(distance(ground, {}, ceiling, {}).value, 3, 1e-12);
  EXPECT_FALSE(intersects(ground, {}, ceiling, {}));
  EXPECT_TRUE(within(ceiling, {}, ground, {}, 3));
  EXPECT_TRUE(intersects(ground, {}, ceiling, translation(0, 0, -3)));
  EXPECT_TRUE(intersects(ground, {}, ceiling, rotation({1, 0, 0}, 1e-3)));
  EXPECT_TRUE(intersects(ground, {}, ground, translation(0, 0, 1e5)));
}

TEST(Primitive, KnownDistancesOfConesEllipsoidsPlanesAndTriangles) {
  const Primitive cone = Primitive::cone(1, 2).value(), egg = Primitive::ellipsoid({1, 2, 3}).value();
  EXPECT_NEAR(distance(cone, {}, sphere(0), translation(0, 0, 3)).value, 2, 1e-12) << "the tip";
  EXPECT_NEAR(distance(cone, {}, sphere(0), translation(3, 0, -1)).value, 2, 1e-12) << "the rim";
  EXPECT_NEAR(distance(cone, {}, sphere(0), translation(2.5, 0, 1)).value, 2.5 * 2 / std::sqrt(5.0), 1e-12)
      << "the slope";
  EXPECT_NEAR(distance(egg, {}, sphere(0.5), translation(0, 0, 5)).value, 1.5, 1e-12);
  EXPECT_NEAR(distance(egg, rotation({1, 0, 0}, 1.5707963267948966), egg, translation(0, 0, 7)).value, 2, 1e-12);
  const Primitive wall = Primitive::plane({0, 0, 1}, 1).value();
  EXPECT_NEAR(distance(wall, {}, cone, translation(0, 0, 4)).value, 2, 1e-12) << "above";
  EXPECT_NEAR(distance(wall, {}, cone, translation(0, 0, -4)).value, 4, 1e-12) << "and below: no solid";
  EXPECT_TRUE(intersects(wall, {}, cone, translation(0, 0, 1.5)));
  EXPECT_FALSE(intersects(wall, {}, wall, translation(0, 0, 1e-3)));
  EXPECT_TRUE(intersects(wall, {}, wall, rotation({1, 0, 0}, 1e-3)));
  EXPECT_FALSE(intersects(Primitive::half_space({0, 0, 1}, 0.5).value(), {}, wall, {}));
  EXPECT_TRUE(intersects(Primitive::half_space({0, 0, 1}, 2).value(), {}, wall, {}));
  const Primitive triangle = Primitive::triangle({{Point3{0, 0, 0}, Point3{4, 0, 0}, Point3{0, 4, 0}}}).value();
  EXPECT_NEAR(distance(triangle, {}, sphere(1), translation(1, 1, -3)).value, 2, 1e-12);
  EXPECT_NEAR(distance(triangle, {}, sphere(1), translation(4, 4, 0)).value, std::sqrt(8.0) - 1, 1e-12);
  // Rays meet a plane from both sides.
  for (const double from : {9.0, -9.0}) {
    const auto hit = cast_ray({{0, 0, from}, {0, 0, -from}}, wall, {}).value();
    ASSERT_TRUE(hit.has_value());
    EXPECT_NEAR(hit->point.z, 1, 1e-9);
    EXPECT_EQ(hit->normal.z, from > 0 ? 1 : -1);
  }
  const auto cast = cast_shape(cone, translation(0, 0, -8), {0, 0, 10}, wall, {}).value();
  ASSERT_TRUE(cast.has_value());
  EXPECT_NEAR(cast->t, 0.8, 1e-9);
  EXPECT_EQ(cast_shape(wall, {}, {0, 0, 1}, cone, {}).error().code, CastError::Code::unbounded);
}

TEST(Primitive, TouchingCountsAndASmallGapDoesNot) {
  for (const double scale : {1e-3, 1.0, 1e4}) {
    SCOPED_TRACE(scale);
    const Shape cube = box(scale, scale, scale), ball = sphere(0.5 * scale);
    EXPECT_TRUE(intersects(cube, {}, cube, translation(scale, 0, 0))) << "flush";
    EXPECT_FALSE(intersects(cube, {}, cube, translation(scale * (1 + 1e-11), 0, 0)));
    EXPECT_FALSE(intersects(cube, {}, cube, translation(scale * (1 + 0x1p-20), 0, 0))) << "two cubes 2^-20 apart";
    EXPECT_TRUE(intersects(cube, {}, ball, translation(scale, 0, 0)));
    EXPECT_FALSE(intersects(cube, {}, ball, translation(scale * (1 + 1e-11), 0, 0)));
    // Far away the poses keep their digits.
    const Pose far_a = translation(1e7, 0, 0), far_b = translation(1e7 + 2 * scale, 0, 0);
    EXPECT_NEAR(distance(cube, far_a, cube, far_b).value, scale, resolution(cube, far_a, cube, far_b));
  }
  // A small sphere on a large box.
  for (const double scale : {1e-3, 1.0, 1e4}) {
    const Shape table = box(scale, scale, scale);
    const double radius = 1e-5 * scale;
    EXPECT_TRUE(intersects(sphere(radius), translation(0, 0, 0.5 * scale + 0.999999 * radius), table, {}));
    EXPECT_FALSE(intersects(sphere(radius), translation(0, 0, 0.5 * scale + 1.000001 * radius), table, {}));
    const Shape mesh(scenes::box(-0.5 * Vec3{scale, scale, scale}, 0.5 * Vec3{scale, scale, scale}));
    EXPECT_TRUE(intersects(sphere(radius), translation(0, 0, 0.5 * scale + 0.999999 * radius), mesh, {}));
    EXPECT_FALSE(intersects(sphere(radius), translation(0, 0, 0.5 * scale + 1.000001 * radius), mesh, {}));
  }
}

TEST(Primitive, IsSolidAndAMeshIsItsTriangles) {
  const Shape small(scenes::box({-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}));
  EXPECT_TRUE(intersects(box(2, 2, 2), {}, small, {})) << "triangles wholly inside the solid touch it";
  EXPECT_EQ(distance(small, {}, sphere(1), {}).value, 0);
  const Shape large(scenes::box({-5, -5, -5}, {5, 5, 5}));
  EXPECT_FALSE(intersects(sphere(1), {}, large, {})) << "a solid inside a mesh touches none of its triangles";
  const auto d = distance(sphere(1), {}, large, {});
  EXPECT_NEAR(d.value, 4, 1e-12);
  std::vector<std::uint32_t> met{99};
  triangles_meeting(Primitive::half_space({0, 0, 1}, -4).value(), {}, large, {}, met);
  EXPECT_EQ(met.size(), 10U) << "the bottom and the sides, not the top";
  triangles_meeting(sphere(1), {}, large, {}, met);
  EXPECT_TRUE(met.empty());
}

TEST(Primitive, PointsAndPlatesAreBodies) {
  const Shape point = sphere(0), plate = box(2, 2, 0), rod(Primitive::capsule(0, 2).value()), dot = box(0, 0, 0);
  EXPECT_TRUE(intersects(point, {}, plate, {}));
  EXPECT_TRUE(intersects(point, translation(1, 1, 0), plate, {})) << "its corner";
  EXPECT_FALSE(intersects(point, translation(1, 1, 1e-11), plate, {}));
  EXPECT_TRUE(intersects(rod, {}, plate, {}));
  EXPECT_TRUE(intersects(dot, {}, point, {}));
  EXPECT_FALSE(intersects(dot, {}, point, translation(1e-300, 0, 0)));
  EXPECT_TRUE(intersects(Primitive::cylinder(1, 0).value(), {}, rod, {}));
  EXPECT_TRUE(intersects(Primitive::hull(std::vector<Point3>{{0, 0, 0}}).value(), {}, dot, {}));
}

TEST(Primitive, NegativeClearancesAreNeverMetAndThoseThatAreNaNRefused) {
  const Shape mesh(scenes::box({-1, -1, -1}, {1, 1, 1}));
  EXPECT_TRUE(within(sphere(1), {}, sphere(1), translation(9, 0, 0), k_nan));
  EXPECT_TRUE(within(sphere(1), {}, mesh, translation(9, 0, 0), k_nan));
  for (const double bad : {-1.0, -0.0 - 1e-300}) {
    EXPECT_FALSE(within(sphere(1), {}, sphere(1), {}, bad));
    EXPECT_FALSE(within(sphere(1), {}, mesh, {}, bad));
  }
  EXPECT_TRUE(within(sphere(1), {}, mesh, translation(1e6, 0, 0), k_infinity));
  EXPECT_TRUE(within(sphere(1), {}, box(1, 1, 1), translation(1e6, 0, 0), k_infinity));
}

TEST(Casts, RefuseWhatIsNoRayOrMotion) {
  const Shape mesh(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const auto ground = Primitive::half_space({0, 0, 1}).value();
  using CastCode = CastError::Code;
  for (const Ray& bad : {Ray{{0, 0, 0}, {0, 0, 0}}, Ray{{k_nan, 0, 0}, {1, 0, 0}}, Ray{{0, 0, 0}, {1, k_infinity, 0}},
                         Ray{{0, 0, 0}, {1, k_nan, 0}}, Ray{{0, 1e305, 0}, {1, 0, 0}}}) {
    EXPECT_EQ(cast_ray(bad, mesh, {}).error().code, CastCode::bad_ray);
    EXPECT_EQ(cast_ray(bad, sphere(1), {}).error().code, CastCode::bad_ray);
    EXPECT_EQ(ray_meets(bad, mesh, {}).error().code, CastCode::bad_ray);
    EXPECT_EQ(ray_meets(bad, sphere(1), {}).error().code, CastCode::bad_ray);
  }
  for (const double bad : {k_nan, -1.0})
    EXPECT_EQ(cast_ray({{}, {1, 0, 0}}, mesh, {}, bad).error().code, CastCode::bad_limit);
  for (const Vec3& bad : {Vec3{k_nan, 0, 0}, Vec3{0, k_nan, 0}, Vec3{0, 0, k_infinity}, Vec3{1e305, 0, 0}}) {
    EXPECT_EQ(cast_shape(mesh, {}, bad, mesh, {}).error().code, CastCode::bad_motion);
    EXPECT_EQ(cast_shape(mesh, {}, bad, sphere(1), {}).error().code, CastCode::bad_motion);
    EXPECT_EQ(cast_shape(sphere(1), {}, bad, mesh, {}).error().code, CastCode::bad_motion);
    EXPECT_EQ(cast_shape(sphere(1), {}, bad, sphere(1), {}).error().code, CastCode::bad_motion);
  }
  EXPECT_EQ(cast_shape(ground, {}, {1, 0, 0}, mesh, {}).error().code, CastCode::unbounded);
  EXPECT_EQ(cast_shape(ground, {}, {1, 0, 0}, sphere(1), {}).error().code, CastCode::unbounded);
  EXPECT_FALSE(CastError{CastCode::bad_motion}.message().empty());
}

TEST(Casts, KnownHits) {
  const Shape mesh(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const auto hit = cast_ray({{0.25, 0.5, 5}, {0, 0, -2}}, mesh, {}).value();
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->t, 2);
  EXPECT_EQ(hit->point, (Point3{0.25, 0.5, 1}));
  EXPECT_EQ(hit->normal, (Vec3{0, 0, 1}));
  EXPECT_FALSE(hit->from_inside);
  EXPECT_EQ(hit->surface, mesh.mesh().surface_of(hit->triangle));
  const auto out = cast_ray({{0, 0, 0}, {1, 0, 0}}, mesh, {}).value();
  ASSERT_TRUE(out.has_value());
  EXPECT_TRUE(out->from_inside);
  EXPECT_FALSE(cast_ray({{0, 0, 5}, {0, 0, 1}}, mesh, {}).value().has_value());
  EXPECT_FALSE(cast_ray({{0, 0, 5}, {0, 0, -1}}, mesh, {}, 3.5).value().has_value());

  const auto ball = cast_ray({{-4, 0, 0}, {1, 0, 0}}, sphere(1), {}).value();
  ASSERT_TRUE(ball.has_value());
  EXPECT_NEAR(ball->t, 3, 1e-9);
  EXPECT_NEAR(ball->normal.x, -1, 1e-9);
  EXPECT_EQ(ball->triangle, RayCastHit::k_none);
  EXPECT_TRUE(cast_ray({{0, 0, 0}, {1, 0, 0}}, sphere(1), {}).value()->from_inside);
  const auto ground = Primitive::half_space({0, 0, 1}).value();
  EXPECT_NEAR(cast_ray({{0, 0, 5}, {1, 0, -1}}, ground, {}).value()->t, 5, 1e-9);
  EXPECT_FALSE(cast_ray({{0, 0, 5}, {1, 0, 0}}, ground, {}).value().has_value());

  // Onto the ground, past an edge, and through a plate without thickness.
  EXPECT_NEAR(cast_shape(mesh, translation(0, 0, 5), {0, 0, -8}, ground, {}).value()->t, 0.5, 1e-9);
  EXPECT_NEAR(cast_shape(sphere(1), translation(0, 0, 5), {0, 0, -8}, mesh, {}).value()->t, 3.0 / 8, 1e-9);
  EXPECT_FALSE(cast_shape(sphere(1), translation(0, 2.001, 5), {0, 0, -10}, mesh, {}).value().has_value());
  const auto through = cast_shape(sphere(1e-6), translation(0, 0, 1e3), {0, 0, -2e3}, box(2, 2, 0), {}).value();
  ASSERT_TRUE(through.has_value());
  EXPECT_NEAR(through->t, 0.5, 1e-6);
  EXPECT_NEAR(through->normal.z, 1, 1e-9);
  const auto meshes = cast_shape(mesh, translation(0, 0, 6), {0, 0, -8}, mesh, {}).value();
  ASSERT_TRUE(meshes.has_value());
  EXPECT_NEAR(meshes->t, 0.5, 1e-9);
  EXPECT_NEAR(meshes->normal.z, 1, 1e-9);
  EXPECT_NEAR(meshes->on_other.z, 1, 1e-9);
  // The edge between the two triangles of a face, and the faces beside it, lend no normals.
  for (const double x : {0.0, 0.3, 0.9999}) {
    const auto rolled = cast_shape(sphere(0.5), translation(x, x, 3), {0.1, 0, -4}, mesh, {}).value();
    ASSERT_TRUE(rolled.has_value());
    EXPECT_NEAR(rolled->normal.z, 1, x < 0.95 ? 1e-9 : 0.01);
  }
  const auto side = cast_ray({{0, 0.6, -4}, {0, 0, 1}}, sphere(1), {}).value();
  ASSERT_TRUE(side.has_value());
  EXPECT_NEAR(side->t, 4 - 0.8, 1e-9);
  EXPECT_NEAR(side->normal.y, 0.6, 1e-6);
  EXPECT_NEAR(side->normal.z, -0.8, 1e-6);
  // From the start, and without any motion.
  EXPECT_EQ(cast_shape(sphere(1), {}, {1, 0, 0}, sphere(1), translation(1, 0, 0)).value()->t, 0);
  EXPECT_EQ(cast_shape(sphere(1), {}, {0, 0, 0}, sphere(1), translation(1, 0, 0)).value()->t, 0);
  EXPECT_FALSE(cast_shape(sphere(1), {}, {0, 0, 0}, sphere(1), translation(3, 0, 0)).value().has_value());
}

TEST(Casts, RaysOfAnyLengthMeet) {
  const Shape box(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const Shape solid(Primitive::box({2, 2, 2}).value());
  Scene scene, solids;
  const BodyId body = scene.add(box).value();
  (void)solids.add(solid).value();
  SceneScratch scratch;
  for (const double length : {1e290, 1.0, 1e-200, 1e-300, 1e-304}) {
    SCOPED_TRACE(length);
    const Ray ray{{5, 0.1, 0.2}, {-length, 0, 0}};
    const double t = 4 / length;
    ASSERT_TRUE(cast_ray(ray, box, {}).value());
    EXPECT_NEAR(cast_ray(ray, box, {}).value()->t / t, 1, 1e-9);
    EXPECT_TRUE(ray_meets(ray, solid, {}).value());
    EXPECT_NEAR(cast_ray(ray, solid, {}).value()->t / t, 1, 1e-9);
    ASSERT_TRUE(scene.cast_ray(ray, scratch).value());
    EXPECT_EQ(scene.cast_ray(ray, scratch).value()->body, body);
    EXPECT_TRUE(solids.ray_meets(ray, scratch).value());
    EXPECT_FALSE(cast_ray({{5, 0.1, 0.2}, {length, 0, 0}}, box, {}).value());
  }
}

TEST(ScenePrimitives, MisuseIsAnError) {
  Scene scene;
  SceneScratch scratch;
  using SceneCode = SceneError::Code;
  const BodyId ball = scene.add(sphere(1)).value(), mesh = scene.add(Shape(scenes::box({2, 2, 2}, {3, 3, 3}))).value();
  const BodyId ground = scene.add(Shape(Primitive::half_space({0, 0, 1}, -1).value())).value();
  const BodyId only_box = scene.add_box({{0, 0, 0}, {1, 1, 1}}).value();
  EXPECT_FALSE(scene.shape(ball).value()->is_mesh());
  EXPECT_EQ(scene.shape(mesh).value()->primitive(), nullptr);
  EXPECT_EQ(scene.shape(only_box).error().code, SceneCode::no_shape);
  EXPECT_EQ(scene.set_shape(only_box, sphere(1)).error().code, SceneCode::no_shape);
  EXPECT_EQ(scene.shape(ball).value()->primitive()->radius(), 1);
  EXPECT_EQ(scene.bounds(ground).value().hi.x, k_max_coordinate);
  EXPECT_EQ(scene.cast_ray({{0, 0, 0}, {0, 0, 0}}, scratch).error().code, SceneCode::bad_cast);
  EXPECT_EQ(scene.ray_meets({{0, 0, 0}, {1, 0, 0}}, scratch, k_nan).error().code, SceneCode::bad_cast);
  EXPECT_EQ(scene.cast_shape(ball, {k_nan, 0, 0}, scratch).error().code, SceneCode::bad_cast);
  EXPECT_EQ(scene.cast_shape(ground, {1, 0, 0}, scratch).error().code, SceneCode::bad_cast);
  EXPECT_EQ(scene.cast_shape(only_box, {1, 0, 0}, scratch).error().code, SceneCode::no_shape);
  EXPECT_FALSE(SceneError{SceneCode::bad_cast}.message().empty());
  scene.remove(ball).value();
  EXPECT_EQ(scene.shape(ball).error().code, SceneCode::stale_body);
  EXPECT_EQ(scene.cast_shape(ball, {1, 0, 0}, scratch).error().code, SceneCode::stale_body);
  CancelToken cancel;
  cancel.cancel();
  EXPECT_EQ(scene.cast_ray({{0, 0, 9}, {0, 0, -1}}, scratch, 100, {}, {.cancel = &cancel}).error().code,
            SceneCode::cancelled);
}

TEST(ScenePrimitives, BodiesChangeTheirKindAndHeedGroups) {
  Scene scene;
  SceneScratch scratch;
  const BodyId a = scene.add(sphere(1)).value();
  const BodyId b = scene.add(sphere(1), translation(3, 0, 0), {.groups = {.member = 2}}).value();
  EXPECT_EQ(scene.first_intersecting_pair(scratch).value(), std::nullopt);
  scene.set_shape(b, Shape(scenes::box({-2.5, -1, -1}, {1, 1, 1}))).value();
  EXPECT_EQ(scene.first_intersecting_pair(scratch).value(), (BodyPair{a, b}));
  SceneContacts contacts;
  scene.contacts(scratch, contacts).value();
  ASSERT_EQ(contacts.bodies.size(), 1U);
  for (const TrianglePair& pair : contacts.of(contacts.bodies[0])) {
    EXPECT_EQ(pair.a, SceneContacts::k_no_triangle);
    EXPECT_LT(pair.b, 12U);
  }
  scene.set_shape(b, box(4, 1, 1)).value();
  EXPECT_FALSE(scene.shape(b).value()->is_mesh());
  scene.contacts(scratch, contacts).value();
  ASSERT_EQ(contacts.triangles.size(), 1U);
  EXPECT_EQ(contacts.triangles[0].b, SceneContacts::k_no_triangle);
  const Ray ray{{10, 0, 0}, {-1, 0, 0}};
  EXPECT_EQ(scene.cast_ray(ray, scratch).value()->body, b);
  EXPECT_EQ(scene.cast_ray(ray, scratch, 100, {.member = 1, .meets = 1}).value()->body, a) << "b is in group 2";
  EXPECT_EQ(scene.cast_shape(sphere(0.5), translation(10, 0, 0), {-20, 0, 0}, scratch).value()->body, b);
  EXPECT_FALSE(scene.cast_shape(a, {-5, 0, 0}, scratch).value()->hit.t > 0) << "they touch from the start";
  scene.ignore(a, b).value();
  EXPECT_FALSE(scene.cast_shape(a, {5, 0, 0}, scratch).value().has_value());
  EXPECT_EQ(scene.first_intersecting_pair(scratch).value(), std::nullopt);
}

}  // namespace
}  // namespace snug
