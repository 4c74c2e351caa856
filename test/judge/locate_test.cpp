#include "cgal_judge.hpp"
#include "closed_meshes.hpp"
#include "judge_support.hpp"

#include <snug/solid.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace snug::judge {
namespace {

/// Points in every position that ray casting dreads: corners, edges, faces, and places in line with them.
std::vector<Point3> dreaded_points(const ClosedMesh& mesh, Random& random, std::size_t count) {
  const auto pick = [&](const auto& items) -> const auto& {
    return items[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(items.size()) - 1))];
  };
  std::vector<Point3> points;
  while (points.size() < count) {
    const Index3& t = pick(mesh.triangles);
    const std::array<Point3, 3> c{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
    const Point3 on_edge = 0.5 * (c[0] + c[1]);
    const Point3 on_face = 0.5 * c[0] + 0.25 * (c[1] + c[2]);
    const Point3& other = pick(mesh.vertices);
    switch (random.integer(0, 7)) {
      case 0:
        points.push_back(c[0]);
        break;
      case 1:
        points.push_back(on_edge);
        break;
      case 2:
        points.push_back(on_face);
        break;
      // In line with a corner, an edge, a face, along one axis.
      case 3:
        points.push_back({other.x, c[0].y, c[0].z});
        break;
      case 4:
        points.push_back({random.between(-3, 3), on_edge.y, on_edge.z});
        break;
      case 5:
        points.push_back({on_face.x, random.between(-3, 3), on_face.z});
        break;
      // On the grid of all coordinates that occur.
      case 6:
        points.push_back({c[0].x, other.y, pick(mesh.vertices).z});
        break;
      // An ulp beside a corner or an edge.
      default: {
        const Point3& p = random.one_in(2) ? c[0] : on_edge;
        const auto ulp = [&] { return static_cast<int>(random.integer(-1, 1)); };
        points.push_back({p.x == 0 ? 0 : nudge(p.x, ulp()), p.y == 0 ? 0 : nudge(p.y, ulp()), p.z});
      }
    }
  }
  return points;
}

void check_mesh(const ClosedMesh& mesh, const std::vector<Point3>& points) {
  ASSERT_TRUE(is_closed(mesh.view())) << mesh.name;
  std::array<std::size_t, 3> count{};
  std::vector<PointLocation> judged;
  for (const Point3& p : points) {
    judged.push_back(cgal_locate(p, mesh.view()));
    ++count[static_cast<std::size_t>(judged.back().side)];
  }
  for (const AxisRotation& rotation : axis_rotations()) {
    ClosedMesh turned = mesh;
    for (Point3& v : turned.vertices) v = rotation(v);
    for (std::size_t i = 0; i != points.size(); ++i) {
      const Point3 p = rotation(points[i]);
      const PointLocation found = locate(p, turned.view());
      ASSERT_EQ(found.side, judged[i].side) << mesh.name << " at " << to_hex(p) << ", winding " << found.winding;
      if (found.side == Side::boundary) continue;
      ASSERT_EQ(found.winding, judged[i].winding) << mesh.name << " at " << to_hex(p);
    }
  }
  std::printf("%-32s | %5zu triangles | outside %5zu | boundary %5zu | inside %5zu\n", std::string(mesh.name).c_str(),
              mesh.triangles.size(), count[0], count[1], count[2]);
}

TEST(LocateJudged, InLineWithCornersEdgesAndFacesInAll24Rotations) {
  const std::uint64_t seed = 71;
  Random random(seed);
  for (const ClosedMesh& mesh : closed_meshes()) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    check_mesh(mesh, dreaded_points(mesh, random, scaled(2'000)));
  }
}

TEST(LocateJudged, OnMeshesFarOutAndTurned) {
  const std::uint64_t seed = 72;
  Random random(seed);
  for (ClosedMesh mesh : closed_meshes()) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    // A shear and a shift: rounding makes flat faces rough, but the mesh stays closed because corners move as one.
    const Vec3 offset = random.in_cube(random.one_in(2) ? 1e7 : 10);
    for (Point3& v : mesh.vertices) v = Vec3{v.x + 0.3 * v.y, v.y - 0.7 * v.z, v.z + 0.1 * v.x} + offset;
    check_mesh(mesh, dreaded_points(mesh, random, scaled(500)));
    std::vector<Point3> around;
    for (std::size_t i = 0; i != scaled(500); ++i) around.push_back(random.in_cube(3) + offset);
    check_mesh(mesh, around);
  }
}

TEST(LocateJudged, WindingFollowsTheSenseOfTheTriangles) {
  for (const ClosedMesh& mesh : closed_meshes()) {
    ClosedMesh reversed = mesh;
    for (Index3& t : reversed.triangles) std::swap(t[1], t[2]);
    EXPECT_TRUE(is_closed(reversed.view()));
    for (const Point3& p : {Point3{0, 0, 0}, Point3{1.5, 1.5, 1.5}, Point3{-1.5, 1.25, 0.5}, Point3{2, 0.1, 0.2}}) {
      const PointLocation judged = cgal_locate(p, mesh.view());
      if (judged.side == Side::boundary) continue;
      EXPECT_EQ(locate(p, reversed.view()).winding, -judged.winding) << mesh.name << " at " << to_hex(p);
    }
  }
}

TEST(LocateJudged, AMeshWithAHoleIsNotClosed) {
  for (const ClosedMesh& mesh : closed_meshes()) {
    ClosedMesh open = mesh;
    open.triangles.erase(open.triangles.begin());
    EXPECT_FALSE(is_closed(open.view())) << mesh.name;
    ClosedMesh twisted = mesh;
    std::swap(twisted.triangles[0][0], twisted.triangles[0][1]);
    EXPECT_FALSE(is_closed(twisted.view())) << mesh.name;
  }
}

TEST(LocateJudged, ADoubledMeshIsClosedUntilOneOfItsTrianglesTurnsOver) {
  for (const ClosedMesh& mesh : closed_meshes()) {
    ClosedMesh doubled = mesh;
    doubled.triangles.insert(doubled.triangles.end(), mesh.triangles.begin(), mesh.triangles.end());
    EXPECT_TRUE(is_closed(doubled.view())) << mesh.name;
    const Point3 p{0.75, 0.25, 0.125};
    EXPECT_EQ(locate(p, doubled.view()).winding, 2 * cgal_locate(p, mesh.view()).winding) << mesh.name;
    // Every edge is still used an even number of times and both ways, but three of them not equally often.
    std::swap(doubled.triangles[0][0], doubled.triangles[0][1]);
    EXPECT_FALSE(is_closed(doubled.view())) << mesh.name;
  }
}

}  // namespace
}  // namespace snug::judge
