#include "scenes/brep/solid.hpp"
#include "scenes/brep/triangulate.hpp"
#include "scenes/random.hpp"
#include "test/support.hpp"

#include <snug/snug.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace snug {
namespace {

using namespace scenes::brep;

constexpr double k_pi = 3.14159265358979323846;

double doubled_area(std::span<const Point2> loop) {
  double sum = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Point2 a = loop[i], b = loop[(i + 1) % loop.size()];
    sum += a.x * b.y - a.y * b.x;
  }
  return sum;
}

double volume(const Mesh& mesh) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
    const Triangle c = mesh.view().triangle(t);
    sum += c[0].x * (c[1].y * c[2].z - c[1].z * c[2].y) - c[0].y * (c[1].x * c[2].z - c[1].z * c[2].x) +
           c[0].z * (c[1].x * c[2].y - c[1].y * c[2].x);
  }
  return sum / 6;
}

/// Area of the regular polygon that stands for a circle.
double disc_area(double radius, int chords) { return chords / 2.0 * radius * radius * std::sin(2 * k_pi / chords); }

void expect_sound(const Mesh& mesh) {
  const MeshReport report = inspect(mesh);
  EXPECT_TRUE(report.clean());
  EXPECT_TRUE(report.closed);
}

TEST(AtTurns, IsExactAtQuartersAndSymmetric) {
  EXPECT_EQ(at_turns(0).cos, 1);
  EXPECT_EQ(at_turns(0.25).cos, 0);
  EXPECT_EQ(at_turns(0.25).sin, 1);
  EXPECT_EQ(at_turns(0.5).sin, 0);
  EXPECT_EQ(at_turns(-0.25).sin, -1);
  for (int i = 0; i < 64; ++i) {
    const auto here = at_turns(i / 64.0), across = at_turns(i / 64.0 + 0.5), mirror = at_turns(-i / 64.0);
    EXPECT_NEAR(here.cos, std::cos(2 * k_pi * i / 64), 1e-15);
    EXPECT_NEAR(here.sin, std::sin(2 * k_pi * i / 64), 1e-15);
    EXPECT_EQ(across.cos, -here.cos);
    EXPECT_EQ(mirror.cos, here.cos);
    EXPECT_EQ(mirror.sin, -here.sin);
  }
}

TEST(Outline, RoundsCornersByTangentArcs) {
  const Corner corners[] = {{{0, 0}}, {{10, 0}, 2, 5}, {{10, 10}}, {{5, 5}, 1, 3}, {{0, 10}}};
  const Outline outline = polygon(corners);
  EXPECT_EQ(outline.sides.size(), 7U);
  EXPECT_EQ(outline.points.size(), outline.side_of_edge.size());
  int bulging = 0, hollow = 0;
  for (std::size_t i = 0; i < outline.points.size(); ++i) {
    const scenes::brep::Side& side = outline.sides[outline.side_of_edge[i]];
    if (!side.round) continue;
    (side.counter_clockwise ? bulging : hollow) += 1;
    const Point2 p = outline.points[i];
    EXPECT_NEAR(std::hypot(p.x - side.centre.x, p.y - side.centre.y), side.radius, 1e-14);
  }
  EXPECT_EQ(bulging, 5);
  EXPECT_EQ(hollow, 3);
  EXPECT_NEAR(doubled_area(mirrored(outline).points), doubled_area(outline.points), 1e-12);
  EXPECT_GT(doubled_area(slot({3, 4}, 5, 1, 4, true).points), 0);
  EXPECT_GT(doubled_area(bow({0, 0}, {10, 0}, 2, 6).points), 0);
  EXPECT_GT(doubled_area(rounded_rectangle({0, 0}, {4, 3}, 1, 3).points), 0);
}

TEST(Triangulate, UsesEveryPointAndFillsTheRegion) {
  scenes::Random random(1);
  for (std::uint64_t i = 0; i < test::scaled(200); ++i) {
    SCOPED_TRACE(i);
    // Cells of a grid, some with a hole: many points in line, many ties.
    const int nx = 1 + static_cast<int>(random.below(8)), ny = 1 + static_cast<int>(random.below(8));
    std::vector<std::vector<Point2>> loops{rectangle({0, 0}, {double(nx), double(ny)}).points};
    for (int x = 0; x < nx; ++x)
      for (int y = 0; y < ny; ++y) {
        const Point2 centre{x + 0.5, y + 0.5};
        switch (random.below(4)) {
          case 0:
            loops.push_back(circle(centre, 0.4, 3 + static_cast<std::uint32_t>(random.below(12))).points);
            break;
          case 1:
            loops.push_back(rectangle({x + 0.25, y + 0.25}, {x + 0.75, y + 0.75}).points);
            break;
          case 2:
            loops.push_back(slot(centre, 0.5, 0.125, 3, random.below(2) == 0).points);
            break;
          default:
            break;
        }
      }
    std::vector<Point2> points;
    double expected = 0;
    for (std::size_t k = 0; k < loops.size(); ++k) {
      expected += (k == 0 ? 1 : -1) * doubled_area(loops[k]);
      if (random.below(2) == 0) std::ranges::reverse(loops[k]);
      points.insert(points.end(), loops[k].begin(), loops[k].end());
    }
    const auto triangles = triangulate(loops);
    ASSERT_EQ(triangles.size(), points.size() + 2 * (loops.size() - 1) - 2);
    double sum = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const Index3& t : triangles) {
      EXPECT_GT(orient2d(points[t[0]], points[t[1]], points[t[2]]), 0);
      const Point2 corners[] = {points[t[0]], points[t[1]], points[t[2]]};
      sum += doubled_area(corners);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ((++edges[{t[k], t[(k + 1) % 3]}]), 1);
    }
    EXPECT_NEAR(sum, expected, 1e-9);
  }
}

TEST(Solid, GrowsBossesSinksPocketsAndIsPierced) {
  Solid solid;
  const Extrusion block = solid.prism(facing_z({}), rectangle({0, 0}, {100, 60}), 20);
  const Extrusion pocket = solid.boss(block.end, rectangle({10, 10}, {90, 50}), -15);
  const Extrusion post = solid.boss(pocket.end, circle({30, 30}, 6, 16), 25);
  solid.join(post.end, circle({30, 30}, 2, 12), block.base);
  solid.join(*block.walls[0], circle({70, 12}, 3, 10), *pocket.walls[0]);
  const Mesh mesh = solid.build();
  expect_sound(mesh);
  const double expected = 100 * 60 * 20 - 80 * 40 * 15 + (disc_area(6, 16) - disc_area(2, 12)) * 25 -
                          disc_area(2, 12) * 5 - disc_area(3, 10) * 10;
  EXPECT_NEAR(volume(mesh), expected, 1e-7);
  EXPECT_EQ(mesh.surfaces().size(), 6U + 5 + 2 + 1 + 1);
}

TEST(Solid, SlopesWalls) {
  Solid solid;
  const Outline roof = rectangle({2, 2}, {8, 8});
  const Extrusion base = solid.prism(facing_z({}), rectangle({-5, -5}, {15, 15}), 2);
  solid.boss(base.end, rectangle({0, 0}, {10, 10}), 6, &roof);
  const Outline narrow = circle({-2.5, -2.5}, 1, 12);
  solid.boss(base.end, circle({-2.5, -2.5}, 2, 12), -1, &narrow);
  const Mesh mesh = solid.build();
  expect_sound(mesh);
  const double frustum = 6.0 / 3 * (100 + 36 + 60), sink = disc_area(1, 12) / 3 * (1 + 4 + 2);
  EXPECT_NEAR(volume(mesh), 20 * 20 * 2 + frustum - sink, 1e-9);
  EXPECT_EQ(mesh.surfaces().back().name, "floor");
  EXPECT_EQ(mesh.surfaces()[mesh.surfaces().size() - 2].kind, SurfaceKind::cone);
  EXPECT_NEAR(mesh.surfaces()[mesh.surfaces().size() - 2].analytic->half_angle, k_pi / 4, 1e-15);
}

TEST(Solid, TurnsBendsAndBores) {
  Solid solid;
  FaceId mouth = 0;
  Tip tip = solid.disc(facing_z({}), 10, 40, &mouth);
  tip = solid.straight(solid.bend(solid.straight(tip, 30), 0.25, 40, 0.25, 30), 20);
  const FaceId end = solid.close(tip);
  tip = solid.open(mouth, {}, 8, 40, true);
  // Seen through the mouth v is turned around.
  solid.close(solid.straight(solid.bend(solid.straight(tip, 30), 0.75, 40, 0.25, 30), 20), end);
  const Mesh mesh = solid.build();
  expect_sound(mesh);
  EXPECT_EQ(mesh.surfaces().size(), 8U);
  // By Pappus, up to the chords of the bend.
  const double ring = disc_area(10, 40) - disc_area(8, 40);
  EXPECT_NEAR(volume(mesh), ring * (30 + 20 + 40 * k_pi / 2), 0.002 * volume(mesh));
  EXPECT_EQ(mesh.bounds().hi.y, 60);
}

TEST(Solid, StubsLeaveRoundWalls) {
  Solid solid;
  Tip tip = solid.pole(facing_z({}), {40, 20, true, 0, 50, 5}, 32);
  const Stub stubs[] = {{0.125, 40, 10, 70, 16}, {0.125, 80, 8, 70, 16}, {0.6, 60, 15, 80, 20}};
  std::vector<Tip> ends;
  tip = solid.straight_with_stubs(tip, 120, stubs, ends);
  solid.close_dome(tip, {0, 20, true, 0, -30, 5});
  ASSERT_EQ(ends.size(), 3U);
  for (const Tip& end : ends) solid.close(end);
  const Mesh mesh = solid.build();
  expect_sound(mesh);
  EXPECT_EQ(mesh.surfaces().size(), 3U + 3 * 2);
  for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
    if (mesh.surfaces()[mesh.surface_of(t)].name != "round") continue;
    for (const Point3& p : mesh.view().triangle(t).corner) EXPECT_NEAR(std::hypot(p.x, p.y), 40, 1e-13);
  }
}

}  // namespace
}  // namespace snug
