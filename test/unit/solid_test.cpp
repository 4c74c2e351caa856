#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace snug {
namespace {

std::vector<Point3> posed_vertices(const Mesh& mesh, const Pose& pose) {
  std::vector<Point3> out(mesh.vertices().size());
  pose.apply(mesh.vertices(), out);
  return out;
}

TEST(Locate, AnswersOnAGridOfPointsInLineWithEverythingInEveryRotation) {
  const Mesh cube = scenes::box({0, 0, 0}, {2, 2, 2});
  ASSERT_TRUE(is_closed(cube.view()));
  for (const Pose& pose : test::cube_rotations()) {
    const std::vector<Point3> vertices = posed_vertices(cube, pose);
    const TriangleMeshView view{vertices, cube.triangles()};
    for (int x = -1; x <= 3; ++x)
      for (int y = -1; y <= 3; ++y)
        for (int z = -1; z <= 3; ++z) {
          const auto range = [](int c) { return c < 0 || c > 2 ? 0 : c == 1 ? 2 : 1; };  // outside, on, in
          const int least = std::min({range(x), range(y), range(z)});
          const Side expected = least == 0 ? Side::outside : least == 1 ? Side::boundary : Side::inside;
          const Point3 p{double(x), double(y), double(z)};
          ASSERT_EQ(locate(pose.apply(p), view).side, expected) << x << ' ' << y << ' ' << z;
        }
  }
}

TEST(Locate, SeesThroughTheHoleOfATorusAndIntoItsTube) {
  const Mesh ring = scenes::torus(2, 0.5, 48, 16);
  EXPECT_EQ(locate({0, 0, 0}, ring.view()).side, Side::outside);
  EXPECT_EQ(locate({2, 0, 0}, ring.view()).side, Side::inside);
  EXPECT_EQ(locate({2, 0, 0}, ring.view()).winding, 1);
  EXPECT_EQ(locate({2.5, 0, 0}, ring.view()).side, Side::boundary) << "a corner of the mesh";
  EXPECT_EQ(locate({std::nextafter(2.5, 3.0), 0, 0}, ring.view()).side, Side::outside);
  EXPECT_EQ(locate({std::nextafter(2.5, 2.0), 0, 0}, ring.view()).side, Side::inside);
}

TEST(Locate, FindsPointsOnNeedles) {
  // A closed cube with a needle along an edge and a collapsed triangle at a corner.
  const Mesh cube = scenes::box({0, 0, 0}, {2, 2, 2});
  std::vector<Point3> vertices(cube.vertices().begin(), cube.vertices().end());
  vertices.push_back({5, 5, 5});
  vertices.push_back({7, 7, 7});
  std::vector<Index3> triangles(cube.triangles().begin(), cube.triangles().end());
  triangles.push_back({8, 9, 8});
  EXPECT_EQ(locate({6, 6, 6}, {vertices, triangles}).side, Side::boundary);
  EXPECT_EQ(locate({6, 6, 6.5}, {vertices, triangles}).side, Side::outside);
}

MeshInput joined(const Mesh& a, const Mesh& b, bool turn_b) {
  MeshInput in;
  test::append(in, a);
  test::append(in, b, turn_b);
  return in;
}

TEST(Locate, CavitiesAreOutsideAndNestedBodiesInside) {
  const Mesh outer = scenes::box({0, 0, 0}, {4, 4, 4}), inner = scenes::box({1, 1, 1}, {3, 3, 3});
  const Mesh hollow = Mesh::build(joined(outer, inner, true)).value();
  EXPECT_EQ(locate({2, 2, 2}, hollow.view()).side, Side::outside);
  EXPECT_EQ(locate({0.5, 2, 2}, hollow.view()).side, Side::inside);
  EXPECT_EQ(locate({1, 2, 2}, hollow.view()).side, Side::boundary);
  const Mesh nested = Mesh::build(joined(outer, inner, false)).value();
  EXPECT_EQ(locate({2, 2, 2}, nested.view()).winding, 2);
  EXPECT_EQ(locate({2, 2, 2}, nested.view()).side, Side::inside);
}

TEST(Closed, AMissingTriangleOpensAndSplitVerticesDoNot) {
  const Mesh ball = scenes::sphere(1, 8, 12);
  EXPECT_TRUE(is_closed(ball.view()));
  EXPECT_FALSE(is_closed({ball.vertices(), ball.triangles().subspan(1)}));
  MeshInput soup;
  for (std::size_t t = 0; t < ball.triangles().size(); ++t) {
    for (const Point3& p : ball.view().triangle(t).corner) soup.vertices.push_back(p);
    const auto k = static_cast<std::uint32_t>(3 * t);
    soup.triangles.push_back({k, k + 1, k + 2});
  }
  EXPECT_TRUE(is_closed({soup.vertices, soup.triangles}));
  EXPECT_FALSE(is_closed({}));
}

TEST(Scenes, EverySolidIsClosedOrientedOutwardAndClean) {
  for (const Mesh& mesh : {scenes::box({-1, 0, 2}, {1, 3, 4}), scenes::cylinder(2, 5, 17), scenes::sphere(3, 9, 14),
                           scenes::torus(2, 0.5, 24, 8), scenes::bumpy_knot(330, 9)}) {
    const MeshReport report = inspect(mesh);
    EXPECT_TRUE(report.clean());
    EXPECT_TRUE(report.closed);
    EXPECT_EQ(report.shells, 1U);
  }
}

}  // namespace
}  // namespace snug
