#include "any_shape.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/distance.hpp>
#include <snug/make_mesh.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

// Signed distances where numbers or shapes leave little room: bodies without thickness, next to parallel, touching by a rounding.

namespace snug {
namespace {

const double k_half_turn = std::acos(-1.0);

SignedDistance asked(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return signed_distance(a, pose_a, b, pose_b, test::own_scratch());
}

/// Bounds in order, a direction, and points that it leads from one to the other; the other way round the same.
SignedDistance expect_sound(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            double points = 2e-6) {
  const SignedDistance d = asked(a, pose_a, b, pose_b), back = asked(b, pose_b, a, pose_a);
  EXPECT_FALSE(d.refused());
  EXPECT_LE(d.lower, d.value);
  EXPECT_LE(d.value, d.upper);
  EXPECT_NEAR(d.normal.length(), 1, 1e-12);
  EXPECT_LE((d.on_a - d.on_b - d.value * d.normal).length(), points * resolution(a, pose_a, b, pose_b) / 0x1p-40);
  EXPECT_EQ(d.value, back.value);
  EXPECT_EQ(d.lower, back.lower);
  EXPECT_EQ(d.upper, back.upper);
  EXPECT_EQ(d.normal, -back.normal);
  EXPECT_EQ(d.on_a, back.on_b);
  EXPECT_EQ(d.on_b, back.on_a);
  return d;
}

TEST(SignedDistanceAtEdges, OfEllipsoidsThinnerThanDoublesDivide) {
  for (const double thin : {5e-324, 1e-310, 1e-308, 1e-200}) {
    SCOPED_TRACE(thin);
    const Shape leaf(Primitive::ellipsoid({1, thin, 0.5}).value()), ball(Primitive::sphere(1).value());
    for (const Pose& turn : {Pose(), rotation({1, 2, 3}, 1)}) {
      const Vec3 across = turn.turn({0, 1, 0});
      const Shape plane(Primitive::plane(across).value()), space(Primitive::half_space(across).value());
      const Pose above = compose(translation(2 * across.x, 2 * across.y, 2 * across.z), turn);
      EXPECT_NEAR(expect_sound(leaf, above, plane, {}).value, 2, 1e-12);
      EXPECT_NEAR(expect_sound(leaf, above, space, {}).value, 2, 1e-12);
      EXPECT_NEAR(expect_sound(leaf, above, ball, {}).value, 1, 1e-12);
      EXPECT_NEAR(distance(leaf, above, ball, {}, test::own_scratch()).value, 1, 1e-12);
      EXPECT_FALSE(intersects(leaf, above, ball, {}, test::own_scratch()));
      EXPECT_TRUE(intersects(leaf, turn, ball, {}, test::own_scratch()));
    }
  }
}

TEST(SignedDistanceAtEdges, HasADirectionWithoutThickness) {
  const Shape needle(Primitive::ellipsoid({1e-200, 1, 1e-9}).value()), speck(Primitive::sphere(1e-310).value());
  const Quaternion turn{0.47453246704581553, 0.4620652491861677, 0.63024178519327378, 0.40510484496032878};
  expect_sound(needle, Pose::make(turn, {}).value(), speck, {});
  const Shape disc(Primitive::ellipsoid({1e-310, 1e9, 1.8909956802703343}).value());
  const Shape rod(Primitive::capsule(1e-200, 1e-9).value());
  const Quaternion other{-0.55711539192351445, -0.51715155039243532, -0.097414750380401316, 0.64240725433087509};
  expect_sound(rod, {}, disc, Pose::make(other, {-5e-324, 0, 0}).value());
}

TEST(SignedDistanceAtEdges, KeepsWhatWasProvedOfFewerFaces) {
  // A segment through a disc leaves it by many ways of next to one length; near the end of the search narrow triangles turn over.
  const Shape disc(Primitive::cone(1e9, 1e-200).value());
  const std::array<Point3, 7> points{{{0, 1e9, 0},
                                      {1e-20, 1.6557708103046613, 0},
                                      {2, 0.40504597655662911, 0},
                                      {1e-9, 0, -1},
                                      {1e-20, -1e9, 1},
                                      {-2, 0, 0},
                                      {0, -2, -0.82483245028934016}}};
  const Quaternion turn{0.51477346534615898, -0.58809219940615753, -0.01243285537501929, -0.62369966208132499};
  const SignedDistance d = expect_sound(Shape(Primitive::hull(points).value()), {}, disc, Pose::make(turn, {}).value());
  EXPECT_LE(d.upper - d.value, 1e-3 * -d.value);
}

TEST(SignedDistanceAtEdges, PointsFitWhereBoundsStayApart) {
  // As deep in all directions of a circle.
  const double half = std::sqrt(0.5);
  const Shape cylinder(Primitive::cylinder(0.25, 1).value()), disc(Primitive::cone(0.25, 0).value());
  expect_sound(cylinder, Pose::make({half, half, 0, 0}, {-0.375, 0.125, 0.125}).value(), disc,
               Pose::make({half, 0, half, 0}, {-0.375, -0.375, -0.125}).value());
  const Shape egg(Primitive::ellipsoid({1, 2, 1}).value()), point(Primitive::cylinder(1e-310, 0).value());
  expect_sound(point, translation(0, 0, -1e-9), egg,
               Pose::make({-0.696656, -0.563468, -0.431536, 0.104646}, {}).value());
}

TEST(SignedDistanceAtEdges, NearlyParallelPlanesShareAPointOfBoth) {
  scenes::Random random(11);
  for (int i = 0; i < 2000; ++i) {
    SCOPED_TRACE(i);
    const double turned = std::pow(10.0, random.uniform(-11.5, 0));
    const Vec3 n = random.point(-1, 1), m = n + turned * random.point(-1, 1);
    const double offset = random.uniform(-1, 1), other = random.uniform(-1, 1);
    const Primitive a = Primitive::plane(n, offset).value(), b = Primitive::plane(m, other).value();
    const Distance d = distance(Shape(a), {}, Shape(b), {}, test::own_scratch());
    if (d.value > 0) continue;  // as parallel as it gets
    const double far = 1 + d.on_a.length();
    EXPECT_LE(std::abs(d.on_a.x * a.normal().x + d.on_a.y * a.normal().y + d.on_a.z * a.normal().z - offset),
              1e-14 * far);
    EXPECT_LE(std::abs(d.on_a.x * b.normal().x + d.on_a.y * b.normal().y + d.on_a.z * b.normal().z - other),
              1e-14 * far);
    const SignedDistance s = asked(Shape(a), {}, Shape(b), {});
    EXPECT_FALSE(s.refused());
    EXPECT_EQ(s.value, 0);
  }
}

Shape two_boxes(double thickness = 0.3) {
  const Piece pieces[] = {{scenes::box({0, 0, 0}, {1, 1, 1}), {}}, {scenes::box({1, 0, 0}, {2, thickness, 0.3}), {}}};
  return Shape(make_compound(pieces).value().mesh);
}

TEST(SignedDistanceAtEdges, OfMeshesDoesNotDependOnTheirOrder) {
  const Shape corner = two_boxes(), other = two_boxes(0.5), ball(scenes::sphere(1, 12, 24));
  const Shape cube(scenes::box({-1, -1, -1}, {1, 1, 1})), egg(Primitive::ellipsoid({1, 0.5, 0.25}).value());
  scenes::Random random(3);
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    const auto pose = [&] {
      return Pose::make({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)},
                        random.point(-0.5, 0.5))
          .value();
    };
    const double anywhere = 1e30;  // see the header: ways out of bodies that are not convex have no such points
    expect_sound(corner, pose(), other, pose(), anywhere);
    expect_sound(corner, pose(), corner, pose(), anywhere);
    expect_sound(corner, pose(), egg, pose(), anywhere);
    expect_sound(ball, pose(), cube, pose());
    expect_sound(cube, pose(), egg, pose());
  }
  const Pose one = rotation({1, 2, 3}, 1);
  expect_sound(corner, one, other, one, 1e30);
}

TEST(SignedDistanceAtEdges, ATipThatTouchesByARoundingEndsTheSearch) {
  for (const double deep : {0.0, 1e-14, 1e-10, 1e-6}) {
    SCOPED_TRACE(deep);
    MeshInput tip;
    tip.vertices = {{deep, 0.5, 0.5}, {-1, 0.4, 0.5}, {-1, 0.6, 0.5}, {-1, 0.5, 0.6}};
    tip.triangles = {{0, 1, 2}, {0, 2, 3}};
    const SignedDistance d = asked(Shape(Mesh::build(std::move(tip)).value()), {}, two_boxes(), {});
    EXPECT_LE(d.value, 0);
    EXPECT_GE(d.value, -2 * deep - 1e-11);
    EXPECT_NEAR(d.normal.length(), 1, 1e-12);
  }
}

TEST(SignedDistanceAtEdges, FlushMeshesHaveADirection) {
  const Shape corner = two_boxes();
  for (const Pose& turn : {Pose(), rotation({1, 2, 3}, 1), rotation({0, 0, 1}, 0.25 * k_half_turn)}) {
    const SignedDistance d = asked(corner, compose(turn, translation(0, 0, 1)), corner, turn);
    EXPECT_LE(std::abs(d.value), 1e-11);
    EXPECT_NEAR(d.normal.length(), 1, 1e-12);
  }
}

TEST(SignedDistanceAtEdges, FineSpheresAreConvex) {
  // Quadrangles of 14,160 triangles, long and narrow about the poles.
  const Shape ball(scenes::sphere(1, 60, 120)), cube(Primitive::box({2, 2, 2}).value());
  const SignedDistance d = asked(ball, rotation({1, 2, 3}, 1), cube, translation(0.1, 0.2, 1.5));
  EXPECT_NEAR(d.value, -0.5, 1e-3);
  EXPECT_LE(d.upper - d.lower, 4e-12);
  EXPECT_LT(d.lower, d.value) << "found by the polytope of the difference";
}

}  // namespace
}  // namespace snug
