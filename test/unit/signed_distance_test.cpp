#include "any_shape.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace snug {
namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN(), k_infinity = std::numeric_limits<double>::infinity();

Shape sphere(double radius) { return Shape(Primitive::sphere(radius).value()); }
Shape box(double x, double y, double z) { return Shape(Primitive::box({x, y, z}).value()); }
Shape mesh_box(double x, double y, double z) {
  return Shape(scenes::box({-0.5 * x, -0.5 * y, -0.5 * z}, {0.5 * x, 0.5 * y, 0.5 * z}));
}

SignedDistance asked(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return signed_distance(a, pose_a, b, pose_b, test::own_scratch());
}

/// Found exactly, with points and normal that fit, and the same the other way round.
void expect_exact(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double value,
                  const Vec3& normal = {}, bool round = false) {
  for (const bool back : {false, true}) {
    SCOPED_TRACE(back);
    const SignedDistance d = back ? asked(b, pose_b, a, pose_a) : asked(a, pose_a, b, pose_b);
    EXPECT_NEAR(d.value, value, 1e-12);
    EXPECT_LE(d.lower, d.value);
    EXPECT_GE(d.upper, d.value);
    EXPECT_LE(d.upper - d.lower, 4e-12 + 1e-9 * round * std::abs(value));
    EXPECT_NEAR(d.normal.length(), 1, 1e-12);
    EXPECT_NEAR((d.on_a - d.on_b - d.value * d.normal).length(), 0, 1e-11);
    if (normal != Vec3{}) {
      EXPECT_NEAR((d.normal - (back ? -normal : normal)).length(), 0, 1e-9);
    }
  }
}

TEST(SignedDistance, OfSpheresBoxesAndCapsules) {
  expect_exact(sphere(1), {}, sphere(2), translation(5, 0, 0), 2, {-1, 0, 0});
  expect_exact(sphere(1), {}, sphere(2), translation(2.5, 0, 0), -0.5, {-1, 0, 0});
  expect_exact(sphere(1), {}, sphere(2), {}, -3);
  expect_exact(sphere(1), translation(0, 0, 1.5), box(2, 2, 2), {}, -0.5, {0, 0, 1});
  expect_exact(sphere(0.25), translation(0.1, 0.2, 0.7), box(2, 2, 2), {}, -0.55, {0, 0, 1});
  expect_exact(box(2, 2, 2), {}, box(2, 2, 2), translation(1.5, 0.3, 0.2), -0.5, {-1, 0, 0});
  expect_exact(box(2, 2, 2), {}, box(2, 2, 2), {}, -2);
  expect_exact(box(2, 2, 2), {}, box(1, 1, 1), {}, -1.5);
  // Edge on edge, crosswise.
  const double half = std::sqrt(0.5);
  expect_exact(box(1, 1, 4), rotation({0, 0, 1}, 0.25 * 3.14159265358979312), box(4, 1, 1),
               compose(translation(0, 2 * half - 0.1, 0), rotation({1, 0, 0}, 0.25 * 3.14159265358979312)), -0.1,
               {0, -1, 0});
  const Shape rod(Primitive::capsule(0.5, 4).value());
  expect_exact(rod, {}, rod, translation(0.75, 0, 0), -0.25, {-1, 0, 0});
  expect_exact(rod, {}, rod, compose(translation(0.75, 0, 0), rotation({1, 0, 0}, 1)), -0.25, {-1, 0, 0});
  expect_exact(rod, {}, rod, translation(0, 0, 4.5), -0.5, {0, 0, -1});
  expect_exact(rod, {}, rod, {}, -1);
}

TEST(SignedDistance, OfBodiesAroundOneAxis) {
  const Shape cylinder(Primitive::cylinder(1, 6).value()), cone(Primitive::cone(1, 2).value());
  const Shape rod(Primitive::capsule(0.25, 4).value());
  expect_exact(cylinder, {}, cylinder, {}, -2);
  expect_exact(cylinder, {}, cylinder, translation(0.5, 0, 0), -1.5, {-1, 0, 0});
  expect_exact(sphere(0.5), {}, cylinder, {}, -1.5);
  expect_exact(rod, {}, cylinder, {}, -1.25);
  expect_exact(cylinder, rotation({1, 0, 0}, 3.14159265358979312), cylinder, translation(0, 0, 5.5), -0.5, {0, 0, -1});
  const Shape egg(Primitive::ellipsoid({1, 1, 2}).value()), larger(Primitive::ellipsoid({1.5, 1.5, 3}).value());
  const Shape lying(Primitive::ellipsoid({2, 1, 1}).value());
  expect_exact(egg, {}, larger, {}, -2.5);
  expect_exact(egg, {}, egg, translation(0, 0, 3.9), -0.1, {0, 0, -1});
  expect_exact(egg, {}, lying, rotation({0, 1, 0}, -1.5707963267948966), -2);
  expect_exact(sphere(0.5), {}, egg, {}, -1.5);
  expect_exact(egg, translation(0.25, 0, 0), cylinder, {}, -1.75, {1, 0, 0});
  // The tip of a cone in a cylinder's end, and beside its wall; the middle of a cone.
  expect_exact(cone, translation(0, 0, -3.75), cylinder, {}, -0.25, {0, 0, -1});
  expect_exact(sphere(0), {}, cone, {}, -1 / std::sqrt(5.0));
  const Pose turned = Pose::make({0.3, -0.2, 0.7, 0.4}, {1, 2, 3}).value();
  expect_exact(cone, turned, cone, turned, -4 / std::sqrt(5.0));
}

TEST(SignedDistance, OfEllipsoidsTrianglesAndPlanes) {
  const Shape egg(Primitive::ellipsoid({1, 2, 3}).value()), ball(Primitive::ellipsoid({2, 2, 2}).value());
  expect_exact(egg, {}, egg, translation(2.5, 0, 0), 0.5, {-1, 0, 0});
  // Round where they are deepest.
  expect_exact(egg, {}, egg, translation(1.5, 0, 0), -0.5, {-1, 0, 0}, true);
  expect_exact(egg, {}, egg, {}, -2, {}, true);
  expect_exact(ball, {}, sphere(2), translation(3, 0, 0), -1, {-1, 0, 0});
  const Shape sheet(Primitive::triangle({{{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}}}).value());
  expect_exact(egg, translation(0, 0, 2), sheet, {}, -1, {0, 0, 1});
  expect_exact(egg, translation(0, 0, -2.5), sheet, {}, -0.5, {0, 0, -1});
  const Shape plane(Primitive::plane({0, 0, 2}, 1).value()), space(Primitive::half_space({0, 0, 2}, 1).value());
  expect_exact(egg, translation(0, 0, 5), plane, {}, 1, {0, 0, 1});
  expect_exact(egg, translation(0, 0, -5), plane, {}, 3, {0, 0, -1});
  expect_exact(egg, translation(0, 0, 3), plane, {}, -1, {0, 0, 1});
  expect_exact(egg, translation(0, 0, 0), plane, {}, -2, {0, 0, -1});
  expect_exact(egg, translation(0, 0, -5), space, {}, -9, {0, 0, 1});
  expect_exact(plane, {}, plane, translation(0, 0, 2), 2, {0, 0, -1});
  expect_exact(space, {}, plane, translation(0, 0, 2), 2, {0, 0, -1});
  expect_exact(space, {}, plane, translation(0, 0, -2), -2, {0, 0, -1});
  EXPECT_EQ(asked(space, {}, space, {}).value, -k_infinity);
  EXPECT_FALSE(asked(space, {}, space, {}).refused());
  EXPECT_EQ(asked(plane, {}, plane, rotation({1, 0, 0}, 1)).value, 0);
  EXPECT_EQ(asked(space, {}, plane, rotation({1, 0, 0}, 1)).value, -k_infinity);
}

TEST(SignedDistance, OfMeshesThatAreConvex) {
  const Shape cube = mesh_box(2, 2, 2), small = mesh_box(1, 1, 1);
  expect_exact(cube, {}, cube, translation(3, 0, 0), 1, {-1, 0, 0});
  expect_exact(cube, {}, cube, translation(1.5, 0.3, 0.2), -0.5, {-1, 0, 0});
  expect_exact(cube, {}, small, {}, -1.5);
  expect_exact(cube, {}, sphere(0.25), translation(0.1, 0.2, 0.7), -0.55, {0, 0, -1});
  expect_exact(small, {}, box(2, 2, 2), {}, -1.5);
  expect_exact(cube, {}, Shape(Primitive::half_space({0, 0, 1}, -0.5).value()), {}, -0.5, {0, 0, 1});
  expect_exact(cube, {}, Shape(Primitive::plane({0, 0, 1}, 0.75).value()), {}, -0.25, {0, 0, -1});
  // Quadrangles of a sphere are flat but for rounding.
  const Shape ball(scenes::sphere(1, 30, 60));
  for (const Pose& turn : {Pose(), rotation({1, 2, 3}, 1)}) {
    const SignedDistance deep = asked(ball, turn, cube, translation(0, 0, 1.5));
    EXPECT_NEAR(deep.value, -0.5, 2e-3);
    EXPECT_LE(deep.upper - deep.lower, 4e-12);
  }
  // One corner pushed in is a dent.
  MeshInput dented;
  dented.vertices.assign(ball.mesh().vertices().begin(), ball.mesh().vertices().end());
  dented.triangles.assign(ball.mesh().triangles().begin(), ball.mesh().triangles().end());
  dented.vertices[400] = 0.9 * dented.vertices[400];
  const SignedDistance bounds =
      asked(Shape(Mesh::build(std::move(dented)).value()), rotation({1, 2, 3}, 1), cube, translation(0, 0, 1.5));
  EXPECT_GT(bounds.upper - bounds.lower, 1e-9);
  EXPECT_NEAR(bounds.value, -0.5, 2e-3);
  const SignedDistance apart = asked(cube, {}, cube, translation(3, 0, 0));
  EXPECT_LT(apart.triangle_a, 12U);
  EXPECT_LT(apart.triangle_b, 12U);
  EXPECT_EQ(asked(cube, {}, cube, translation(2, 0, 0)).value, 0) << "flush";
}

TEST(SignedDistance, OfOtherMeshesLiesBetweenBounds) {
  const Shape ring(scenes::torus(2, 0.5, 96, 48)), tube(scenes::pipe(2, 1, 4, 64));
  const auto expect_between = [](const Shape& a, const Pose& pose, const Shape& b, double truth, double least) {
    const SignedDistance d = asked(a, pose, b, {});
    // Tessellated as they are, bodies are a little smaller.
    EXPECT_LE(d.lower, truth + 0.01);
    EXPECT_GE(d.upper, truth - 0.01);
    EXPECT_EQ(d.value, d.lower);
    EXPECT_LE(d.upper, -least);
    EXPECT_NEAR((d.on_a - d.on_b - d.upper * d.normal).length(), 0, 1e-9);
    const Pose out = Pose::make(pose.rotation(), pose.translation() - d.value * d.normal).value();
    EXPECT_FALSE(intersects(a, out, b, {}, test::own_scratch()));
    EXPECT_GE(distance(a, out, b, {}, test::own_scratch()).value, 0);
    return d;
  };
  // In the wall of a tube, which is one thick.
  const SignedDistance in_wall = expect_between(sphere(0.25), translation(1.5, 0, 2), tube, -0.75, 0.7);
  EXPECT_GT(in_wall.value, -1) << "and not as far as the hull";
  // Within the tube's bore nothing is met; across its wall, half in.
  EXPECT_GT(asked(sphere(0.25), translation(0, 0, 2), tube, {}).value, 0.7);
  // Two links of a chain that are too close for their tubes.
  const SignedDistance links =
      expect_between(ring, compose(translation(3.2, 0, 0), rotation({1, 0, 0}, 1.5707963267948966)), ring, -0.2, 0.15);
  EXPECT_GT(links.value, -0.3);
  // Wholly inside: their surfaces are apart.
  const SignedDistance inside = asked(mesh_box(0.2, 0.2, 0.2), translation(1.5, 0, 2), tube, {});
  EXPECT_LT(inside.upper, -0.5);
  EXPECT_GE(inside.lower, -0.8);
  // Open sheets have no inside.
  MeshInput sheet;
  sheet.vertices = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
  sheet.triangles = {{0, 1, 2}};
  const Shape open(Mesh::build(std::move(sheet)).value());
  const SignedDistance flat = asked(open, {}, open, rotation({1, 0, 0}, 1));
  EXPECT_LE(flat.value, 0);
  EXPECT_EQ(flat.upper, 0);
  const SignedDistance in_ball = asked(open, {}, sphere(0.5), {});
  EXPECT_NEAR(in_ball.upper, -0.5, 1e-3);
  EXPECT_NEAR(in_ball.value, -0.5, 1e-3);
}

TEST(SignedDistance, RefusesWhatIsNoPlace) {
  for (const Shape& shape : {sphere(1), mesh_box(1, 1, 1), Shape(Primitive::plane({0, 0, 1}).value())}) {
    for (const bool back : {false, true}) {
      const SignedDistance d = back ? asked(shape, {}, sphere(1), translation(k_nan, 0, 0))
                                    : asked(sphere(1), translation(k_nan, 0, 0), shape, {});
      EXPECT_TRUE(d.refused());
      EXPECT_EQ(d.value, -k_infinity);
      EXPECT_EQ(d.upper, -k_infinity);
      EXPECT_FALSE(d.value > 0) << "never clear";
    }
  }
}

TEST(SignedDistance, NormalsStandBesideWitnessPoints) {
  const Shape cube = mesh_box(2, 2, 2);
  Scratch& scratch = test::own_scratch();
  EXPECT_EQ(distance(cube, {}, cube, translation(5, 0, 0), scratch).normal, (Vec3{-1, 0, 0}));
  EXPECT_EQ(distance(sphere(1), {}, cube, translation(5, 0, 0), scratch).normal, (Vec3{-1, 0, 0}));
  EXPECT_EQ(distance(cube, translation(5, 0, 0), sphere(1), {}, scratch).normal, (Vec3{1, 0, 0}));
  EXPECT_EQ(distance(cube, {}, cube, {}, scratch).normal, (Vec3{}));
  EXPECT_EQ(distance(cube, {}, cube, translation(5, 0, 0), scratch, {.ignore_beyond = 1}).normal, (Vec3{}));
  EXPECT_EQ(try_distance(cube, {}, cube, translation(0, 5, 0), scratch, {}).known.normal, (Vec3{0, -1, 0}));
  Tracker tracker(cube, cube);
  EXPECT_EQ(tracker.distance({}, translation(0, 0, 5)).normal, (Vec3{0, 0, -1}));
  Scene scene;
  SceneScratch of_scene;
  (void)scene.add(cube).value();
  (void)scene.add(cube, translation(0, 0, 5)).value();
  EXPECT_EQ(scene.closest_pair(of_scene).value()->normal, (Vec3{0, 0, -1}));
}

}  // namespace
}  // namespace snug
