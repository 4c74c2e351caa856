#include "query/posed/posed_mesh.hpp"
#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"
#include "penetration/posed_solid.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

// Meshes searched in their own frame: what is posed when asked for has the bits of what was posed beforehand, boxes and rays miss
// nothing, and the inside is that of every triangle counted.

namespace snug {
namespace {

using penetration::Filling;
using penetration::PosedSolid;
using query::PosedMesh;
using scenes::Random;
using shape::BoxedMesh;

Mesh inside_out(const Mesh& mesh) {
  MeshInput turned;
  test::append(turned, mesh, true);
  return Mesh::build(std::move(turned)).value();
}

/// A ball with a ball-shaped cavity that is not in its middle.
Mesh hollow_ball() {
  MeshInput input;
  test::append(input, scenes::sphere(1, 10, 14));
  Mesh cavity = scenes::sphere(0.5, 7, 9);
  test::append(input, cavity, true);
  return Mesh::build(std::move(input)).value();
}

/// Two boxes that overlap: it winds twice around what they have in common.
Mesh crossed_boxes() {
  MeshInput input;
  test::append(input, scenes::box({-1, -1, -1}, {0.5, 0.5, 0.5}));
  test::append(input, scenes::box({-0.5, -0.5, -0.5}, {1, 1, 1}));
  return Mesh::build(std::move(input)).value();
}

/// A box without its lid beside a closed one.
Mesh with_an_open_box() {
  MeshInput input;
  const Mesh open = scenes::box({-1, -1, -1}, {-0.25, 1, 1});
  test::append(input, open);
  input.triangles.resize(input.triangles.size() - 2);
  test::append(input, scenes::box({0.25, -1, -1}, {1, 1, 1}));
  return Mesh::build(std::move(input)).value();
}

std::vector<Mesh> bodies() {
  return {scenes::box({-1, -0.5, -0.25}, {1, 0.5, 0.25}),
          inside_out(scenes::box({-1, -0.5, -0.25}, {1, 0.5, 0.25})),
          scenes::torus(0.75, 0.25, 16, 8),
          inside_out(scenes::torus(0.75, 0.25, 16, 8)),
          scenes::bumpy_knot(60, 8),
          hollow_ball(),
          crossed_boxes()};
}

/// Every fourth a rotation of the cube, where coordinates coincide; some far from the origin.
Pose some_pose(Random& random, std::uint64_t seed) {
  if (seed % 8 == 0) return {};
  const double reach = seed % 3 == 0 ? 1e6 : 3;
  if (seed % 4 != 0) return random.pose(reach);
  const auto turns = test::cube_rotations();
  const Vec3 by = random.point(-reach, reach);
  return compose(translation(by.x, by.y, by.z), turns[random.below(turns.size())]);
}

/// Corners, points on edges and faces, points in line with them, and any.
Point3 some_point(Random& random, const PosedMesh& mesh) {
  const auto triangle = mesh.triangle(static_cast<std::uint32_t>(random.below(mesh.triangle_count())));
  const Point3 corner = triangle[random.below(3)], other = triangle[random.below(3)];
  const Aabb& box = mesh.bounds();
  Point3 p{random.uniform(box.lo.x, box.hi.x), random.uniform(box.lo.y, box.hi.y), random.uniform(box.lo.z, box.hi.z)};
  switch (random.below(5)) {
    case 0:
      return corner;
    case 1:
      return corner + 0.5 * (other - corner);
    case 2:
      p.x = corner.x, p.y = corner.y;
      return p;  // in line with a corner
    case 3:
      p.z = other.z;
      return p;
    default:
      return p;
  }
}

std::vector<Triangle> triangles_of(const Shape& shape, const Pose& pose) {
  std::vector<Triangle> all;
  for (std::uint32_t t = 0; t < shape.mesh().triangles().size(); ++t)
    all.push_back(test::posed(shape.mesh().view().triangle(t), pose));
  return all;
}

void expect_all_held(const PosedMesh& mesh) {
  Aabb all;
  for (std::uint32_t node = 0; node < mesh.tree().nodes.size(); ++node) {
    const auto& n = mesh.tree().nodes[node];
    if (!n.leaf()) continue;
    for (std::uint32_t i = n.begin; i < n.end; ++i)
      for (const Point3& p : mesh.triangle(mesh.tree().order[i]).corner) {
        all.include(p);
        ASSERT_TRUE(mesh.box(node).overlaps({p, p}));
        const Point3 own = mesh.to_own_frame(p);
        const auto& box = mesh.mesh().node(node);
        for (std::size_t axis = 0; axis < 3; ++axis)
          ASSERT_LE(std::abs(own[axis] - box.middle[axis]), box.half[axis] + mesh.own_slack());
      }
  }
  EXPECT_EQ(mesh.bounds().lo, all.lo);
  EXPECT_EQ(mesh.bounds().hi, all.hi);
}

TEST(PosedMesh, CornersHaveTheBitsOfPosedOnesAndBoxesHoldThem) {
  for (const Mesh& mesh : bodies()) {
    const Shape shape(mesh);
    for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const Pose pose = some_pose(random, seed);
      const PosedMesh posed(BoxedMesh(shape), pose);
      const auto expected = triangles_of(shape, pose);
      for (std::uint32_t t = 0; t < expected.size(); ++t) ASSERT_EQ(posed.triangle(t), expected[t]);
      expect_all_held(posed);

      const Vec3 by = random.point(-2, 2);
      const PosedMesh moved = posed.moved(by);
      for (std::uint32_t t = 0; t < expected.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) ASSERT_EQ(moved.triangle(t)[i], expected[t][i] + by);
      expect_all_held(moved);

      const double power = std::ldexp(1.0, static_cast<int>(random.below(1200)) - 600);
      const PosedMesh scaled = posed.scaled(power);
      for (std::uint32_t t = 0; t < expected.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) ASSERT_EQ(scaled.triangle(t)[i], power * expected[t][i]);
      expect_all_held(scaled);
      expect_all_held(scaled.moved(power * by));

      auto elsewhere = posed.vertices();
      for (Point3& p : elsewhere) p = p + random.point(-0.1, 0.1);
      const PosedMesh deformed = posed.with_vertices(elsewhere);
      for (std::uint32_t v = 0; v < elsewhere.size(); ++v) ASSERT_EQ(deformed.vertex(v), elsewhere[v]);
      expect_all_held(deformed);
    }
  }
}

TEST(PosedMesh, TheInsideIsThatOfEveryTriangleCounted) {
  std::array<std::uint64_t, 3> met{};
  for (const Mesh& mesh : bodies()) {
    const Shape shape(mesh);
    for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const Pose pose = some_pose(random, seed);
      const double power = std::ldexp(1.0, static_cast<int>(random.below(3)) * 150 - 150);
      const PosedSolid solid = PosedSolid(shape, pose).scaled(power);
      const std::vector<Point3> vertices = solid.body().vertices();
      const TriangleMeshView all{vertices, shape.mesh().triangles()};
      for (int i = 0; i < 40; ++i) {
        const Point3 p = some_point(random, solid.body());
        const Side expected = locate(p, all).side;
        ASSERT_EQ(solid.locate(p, Filling::closed_shells), expected) << i;
        ++met.at(static_cast<std::size_t>(expected));
      }
    }
  }
  for (const std::uint64_t n : met) EXPECT_GT(n, 0U);
}

TEST(PosedMesh, OpenShellsHaveAnInsideOnlyWhereTheirHolesAreFilled) {
  const Shape shape(with_an_open_box());
  std::uint64_t only_filled = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const PosedSolid solid(shape, some_pose(random, seed));
    std::vector<Point3> vertices = solid.body().vertices();
    const auto& triangles = shape.mesh().triangles();
    std::vector<Index3> closed, filled(triangles.begin(), triangles.end());
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
      if (solid.topology().in_closed_shell(t)) closed.push_back(triangles[t]);
    ASSERT_EQ(closed.size(), 12U);
    for (const Triangle& t : solid.fillings()) {
      const auto first = static_cast<std::uint32_t>(vertices.size());
      vertices.insert(vertices.end(), t.corner.begin(), t.corner.end());
      filled.push_back({first, first + 1, first + 2});
    }
    for (int i = 0; i < 40; ++i) {
      const Point3 p = some_point(random, solid.body());
      const Side without = locate(p, {vertices, closed}).side, with = locate(p, {vertices, filled}).side;
      ASSERT_EQ(solid.locate(p, Filling::closed_shells), without) << i;
      ASSERT_EQ(solid.locate(p, Filling::holes_filled), with) << i;
      if (without == Side::outside && with == Side::inside) ++only_filled;
    }
  }
  EXPECT_GT(only_filled, 0U);
}

TEST(PosedMesh, DistancesFromTheSurfaceAreThoseOfEveryTriangle) {
  for (const Mesh& mesh : bodies()) {
    const Shape shape(mesh);
    for (std::uint64_t seed = 0; seed < test::scaled(40); ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const double power = std::ldexp(1.0, static_cast<int>(random.below(3)) * 100 - 100);
      const PosedSolid solid = PosedSolid(shape, some_pose(random, seed)).scaled(power);
      for (int i = 0; i < 20; ++i) {
        Point3 p = some_point(random, solid.body());
        if (i % 4 == 0) p = p + power * random.point(-50, 50);
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t t = 0; t < solid.body().triangle_count(); ++t) {
          const Vec3 d = geometry::closest_point(p, solid.body().triangle(t)) - p;
          least = std::min(least, geometry::dot(d, d));
        }
        ASSERT_EQ(solid.surface_distance(p, Filling::closed_shells), std::sqrt(least)) << i;
      }
    }
  }
}

}  // namespace
}  // namespace snug
