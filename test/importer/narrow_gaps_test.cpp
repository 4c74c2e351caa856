// A strip closes a gap that is no wider than the model's tolerance, and nothing else is closed.
#include "narrow_gaps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>

namespace snug::importer {
namespace {

struct Faces {
  std::vector<Point3> vertices;
  std::vector<Index3> triangles;
};

/// A cube whose faces are fans about their middles. The edges of the bottom along x, at y = 0 and y = 1, may be divided: by points
/// of the side (`above`) and by points of the bottom (`below`), which are listed from x = 0 to x = 1.
Faces cube(const std::vector<Point3>& above, const std::vector<Point3>& below, bool with_top = true) {
  Faces out;
  out.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const auto add_points = [&](const std::vector<Point3>& points) {
    std::vector<std::uint32_t> ids;
    for (const Point3& p : points)
      ids.push_back(static_cast<std::uint32_t>(out.vertices.size())), out.vertices.push_back(p);
    return ids;
  };
  const auto fan = [&](const std::vector<std::uint32_t>& ring) {
    Point3 middle;
    for (const std::uint32_t v : ring)
      middle = middle + (1.0 / static_cast<double>(ring.size())) * (out.vertices[v] - Point3{});
    const auto hub = static_cast<std::uint32_t>(out.vertices.size());
    out.vertices.push_back(middle);
    for (std::size_t i = 0; i < ring.size(); ++i) out.triangles.push_back({ring[i], ring[(i + 1) % ring.size()], hub});
  };
  const std::vector<std::uint32_t> of_side = add_points(above), of_bottom = add_points(below);
  std::vector<std::uint32_t> side{0}, bottom{3, 2, 1};
  side.insert(side.end(), of_side.begin(), of_side.end());
  side.insert(side.end(), {1, 5, 4});
  bottom.insert(bottom.end(), of_bottom.rbegin(), of_bottom.rend());
  bottom.push_back(0);
  fan(side), fan(bottom), fan({1, 2, 6, 5}), fan({2, 3, 7, 6}), fan({3, 0, 4, 7});
  if (with_top) fan({4, 5, 6, 7});
  return out;
}

/// Directed sides without a partner the other way.
std::size_t open_sides(const Faces& faces) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
  for (const Index3& t : faces.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      ++uses[{t[i], t[(i + 1) % 3]}];
      --uses[{t[(i + 1) % 3], t[i]}];
    }
  std::size_t open = 0;
  for (const auto& [ends, count] : uses) open += count > 0 ? static_cast<std::size_t>(count) : 0;
  return open;
}

std::vector<NarrowGap> close(Faces& faces, double tolerance) {
  const auto gaps = narrow_gaps(faces.vertices, faces.triangles, [&](std::uint32_t) { return tolerance; });
  for (const NarrowGap& gap : gaps)
    faces.triangles.insert(faces.triangles.end(), gap.triangles.begin(), gap.triangles.end());
  return gaps;
}

TEST(NarrowGaps, AreClosedWithEverySideMatched) {
  // A sliver with two and three points between its tips, one with as many on either side, and an edge divided by one face only.
  const std::vector<std::pair<std::vector<Point3>, std::vector<Point3>>> cases{
      {{{0.3, 0, 0.01}, {0.7, 0, 0.01}}, {{0.2, 0, 0}, {0.5, 0, 0}, {0.9, 0, 0}}},
      {{{0.3, 0, 0.01}, {0.7, 0, 0.005}}, {{0.3, 0.01, 0}, {0.7, 0.01, 0}}},
      {{{0.5, 0, 0}}, {}},
      {{}, {{0.4, 0.002, 0}, {0.6, 0.002, 0}}}};
  for (const auto& [above, below] : cases) {
    Faces faces = cube(above, below);
    ASSERT_GT(open_sides(faces), 0U);
    const std::size_t before = faces.triangles.size();
    const auto gaps = close(faces, 0.02);
    ASSERT_EQ(gaps.size(), 1U);
    EXPECT_EQ(open_sides(faces), 0U);
    EXPECT_EQ(faces.triangles.size() - before, above.size() + below.size());
    EXPECT_LE(gaps[0].width, 0.0142);
    EXPECT_LT(gaps[0].beside, before);
  }
}

TEST(NarrowGaps, StayOpenIfTheyAreWider) {
  Faces faces = cube({{0.5, 0, 0.03}}, {{0.5, 0, 0}});
  EXPECT_TRUE(close(faces, 0.02).empty());
  const auto gaps = close(faces, 0.04);
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_NEAR(gaps[0].width, 0.03, 1e-12);
  EXPECT_EQ(open_sides(faces), 0U);
}

TEST(NarrowGaps, ThatMeetAtACornerAreTwo) {
  Faces faces = cube({{0.25, 0, 0.01}, {0.5, 0, 0}, {0.75, 0, 0.01}}, {});
  // The bottom has the point in the middle, too.
  Faces both = cube({{0.25, 0, 0.01}, {0.5, 0, 0}, {0.75, 0, 0.01}}, {{0.5, 0, 0}});
  for (Index3& t : both.triangles)
    for (std::uint32_t& v : t) v = v == 11 ? 9 : v;
  ASSERT_EQ(open_sides(both), 6U);
  EXPECT_EQ(close(both, 0.02).size(), 2U);
  EXPECT_EQ(open_sides(both), 0U);
  EXPECT_EQ(close(faces, 0.02).size(), 1U);
  EXPECT_EQ(open_sides(faces), 0U);
}

TEST(NarrowGaps, ThatLackAFaceAreNone) {
  Faces faces = cube({{0.5, 0, 0.01}}, {}, false);
  EXPECT_EQ(close(faces, 0.02).size(), 1U);
  EXPECT_EQ(open_sides(faces), 4U) << "the top is a face that is not there";
}

/// A plate of 100 by 100 by 10 that lacks the upper 0.85 of the face at x = 100; all other faces are planes.
MeshInput plate_with_a_gap() {
  MeshInput out;
  out.vertices = {{0, 0, 0},    {100, 0, 0},    {100, 100, 0}, {0, 100, 0},    {0, 0, 10},
                  {100, 0, 10}, {100, 100, 10}, {0, 100, 10},  {100, 0, 9.15}, {100, 100, 9.15}};
  const auto add = [&](const Point3& origin, const Vec3& normal, const std::vector<Index3>& triangles) {
    Surface plane;
    plane.kind = SurfaceKind::plane, plane.tolerance = 1;
    plane.analytic = AnalyticSurface{.origin = origin, .axis = normal};
    for (const Index3& t : triangles) {
      out.triangles.push_back(t);
      out.surface_of_triangle.push_back(static_cast<std::uint32_t>(out.surfaces.size()));
    }
    out.surfaces.push_back(std::move(plane));
  };
  add({0, 0, 10}, {0, 0, 1}, {{4, 5, 6}, {4, 6, 7}});
  add({0, 0, 0}, {0, 0, -1}, {{0, 3, 2}, {0, 2, 1}});
  add({0, 0, 0}, {-1, 0, 0}, {{0, 4, 7}, {0, 7, 3}});
  add({100, 0, 0}, {1, 0, 0}, {{1, 2, 9}, {1, 9, 8}});
  add({0, 0, 0}, {0, -1, 0}, {{0, 1, 8}, {0, 8, 5}, {0, 5, 4}});
  add({0, 100, 0}, {0, 1, 0}, {{3, 7, 6}, {3, 6, 9}, {3, 9, 2}});
  return out;
}

TEST(NarrowGaps, AreClosedByASurfaceWhoseSagIsTheirWidth) {
  MeshInput plate = plate_with_a_gap();
  const std::size_t faces = plate.surfaces.size();
  const auto gaps = narrow_gaps(plate.vertices, plate.triangles, [](std::uint32_t) { return 1.0; });
  ASSERT_EQ(gaps.size(), 1U);
  append_strip(plate, gaps[0], gaps[0].beside);
  ASSERT_EQ(plate.surfaces.size(), faces + 1);
  EXPECT_EQ(plate.surfaces.back().kind, SurfaceKind::unknown);
  EXPECT_FALSE(plate.surfaces.back().analytic);
  EXPECT_NEAR(plate.surfaces.back().sag.value, 0.85, 1e-12);
  EXPECT_EQ(plate.surface_of_triangle.back(), faces);
  EXPECT_EQ(plate.surface_of_triangle.size(), plate.triangles.size());
  for (std::size_t s = 0; s < faces; ++s) EXPECT_EQ(plate.surfaces[s].sag.value, 0) << "planes stay exact";
}

}  // namespace
}  // namespace snug::importer
