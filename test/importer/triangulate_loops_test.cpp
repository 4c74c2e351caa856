// Regions of the plane between polygons. Coordinates of the random ones are whole numbers, so that areas are exact.
#include "triangulate_loops.hpp"

#include <snug/predicates.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <numbers>
#include <random>
#include <string>

namespace snug::importer {
namespace {

using Loop = std::vector<gp_XY>;
using Loops = std::vector<Loop>;

bool never(const gp_XY& /*a*/, const gp_XY& /*b*/) { return false; }

Loop circle(double radius, std::size_t points, double turn = 0) {
  Loop out;
  for (std::size_t i = 0; i < points; ++i) {
    const double t = turn + 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(points);
    out.emplace_back(radius * std::cos(t), radius * std::sin(t));
  }
  return out;
}

Point2 plain(const gp_XY& p) { return {p.X(), p.Y()}; }

/// Twice the area, exact for whole numbers.
std::int64_t doubled_area(const Loop& loop) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const gp_XY &p = loop[i], &q = loop[(i + 1) % loop.size()];
    sum += static_cast<std::int64_t>(p.X()) * static_cast<std::int64_t>(q.Y()) -
           static_cast<std::int64_t>(q.X()) * static_cast<std::int64_t>(p.Y());
  }
  return sum;
}

double area_of(const PlaneMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const auto at = [&](std::size_t i) { return mesh.points[static_cast<std::size_t>(t[i])]; };
    const double area = ((at(1) - at(0)) ^ (at(2) - at(0))) / 2;
    EXPECT_GT(area, 0);
    sum += area;
  }
  return sum;
}

using Sides = std::map<std::pair<int, int>, int>;  ///< directed, with the number of triangles on their left

Sides sides_of(const PlaneMesh& mesh) {
  Sides sides;
  for (const auto& [a, b, c] : mesh.triangles) ++sides[{a, b}], ++sides[{b, c}], ++sides[{c, a}];
  return sides;
}

bool do_cross(const gp_XY& a, const gp_XY& b, const gp_XY& p, const gp_XY& q) {
  const auto sides = [](const gp_XY& u, const gp_XY& v, const gp_XY& w) {
    return orient2d(plain(u), plain(v), plain(w));
  };
  return sides(a, b, p) * sides(a, b, q) < 0 && sides(p, q, a) * sides(p, q, b) < 0;
}

bool any_cross(const PlaneMesh& mesh) {
  std::vector<std::pair<int, int>> lines;
  for (const auto& [ends, uses] : sides_of(mesh)) lines.push_back(std::minmax({ends.first, ends.second}));
  std::ranges::sort(lines);
  lines.erase(std::ranges::unique(lines).begin(), lines.end());
  const auto at = [&](int i) { return mesh.points[static_cast<std::size_t>(i)]; };
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (do_cross(at(lines[i].first), at(lines[i].second), at(lines[k].first), at(lines[k].second))) return true;
  return false;
}

/// All that is promised of a triangulation of polygons with whole coordinates, the first of them around the others. Empty if
/// it holds.
std::string fault_of(const Loops& loops) {
  const auto mesh = triangulate_loops(loops, 1'000'000, never);
  if (!mesh) return "not triangulated";
  std::int64_t expected = std::abs(doubled_area(loops[0])), sum = 0;
  for (std::size_t i = 1; i < loops.size(); ++i) expected -= std::abs(doubled_area(loops[i]));
  for (const auto& t : mesh->triangles) {
    const auto at = [&](std::size_t i) { return mesh->points[static_cast<std::size_t>(t[i])]; };
    const std::int64_t area = doubled_area({at(0), at(1), at(2)});
    if (area <= 0) return "a triangle without area or turned over";
    sum += area;
  }
  if (sum != expected) return "the area is " + std::to_string(sum) + " and not " + std::to_string(expected);
  Sides sides = sides_of(*mesh);
  std::size_t base = 0;
  for (const Loop& loop : loops) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int a = mesh->node_of_point[base + i], b = mesh->node_of_point[base + (i + 1) % loop.size()];
      const bool there = sides[{a, b}] == 1, back = sides[{b, a}] == 1;
      if (there == back) return "a side of the boundary that is not a side of one triangle";
      sides.erase({a, b}), sides.erase({b, a});
    }
    base += loop.size();
  }
  for (const auto& [ends, uses] : sides)
    if (uses != 1 || !sides.contains({ends.second, ends.first})) return "a side inside that has not two triangles";
  return any_cross(*mesh) ? "sides that cross" : "";
}

/// A square of 2000 with star-shaped holes that stay clear of each other, or with rectangles on a lattice, where points of
/// different holes lie on common lines and circles.
Loops square_with_holes(unsigned seed) {
  std::mt19937 random(seed);
  const auto whole = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % static_cast<unsigned>(hi - lo + 1));
  };
  Loops loops(1);
  const int pieces = whole(1, 4);
  for (int side = 0; side < 4; ++side)
    for (int i = 0; i < pieces; ++i) {
      const double s = 2000.0 * i / pieces, t = std::floor(s);
      loops[0].push_back(side == 0   ? gp_XY{t, 0}
                         : side == 1 ? gp_XY{2000, t}
                         : side == 2 ? gp_XY{2000 - t, 2000}
                                     : gp_XY{0, 2000 - t});
    }
  const int wanted = whole(2, 7);
  if (seed % 4 == 0) {
    std::vector<int> cells(9);
    for (int i = 0; i < 9; ++i) cells[static_cast<std::size_t>(i)] = i;
    std::ranges::shuffle(cells, random);
    for (int i = 0; i < wanted; ++i) {
      const int cell = cells[static_cast<std::size_t>(i)];
      const double x = 100 + 600 * (cell % 3), y = 100 + 600 * static_cast<double>(cell / 3), w = 200 * whole(1, 2),
                   h = 200 * whole(1, 2);
      loops.push_back({{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}});
    }
    return loops;
  }
  struct Disc {
    int x, y, r;
  };
  std::vector<Disc> discs;
  for (int tries = 0; tries < 1000 && static_cast<int>(discs.size()) < wanted; ++tries) {
    const int r = whole(20, 400), x = whole(r + 5, 1995 - r), y = whole(r + 5, 1995 - r);
    const bool is_clear =
        std::ranges::none_of(discs, [&](const Disc& d) { return std::hypot(d.x - x, d.y - y) < d.r + r + 5; });
    if (!is_clear) continue;
    discs.push_back({x, y, r});
    Loop& hole = loops.emplace_back();
    const int corners = whole(3, 12);
    for (int i = 0; i < corners; ++i) {
      const double turn = 2 * std::numbers::pi * i / corners, far = r * (0.3 + 0.7 * whole(0, 1000) / 1000.0);
      hole.emplace_back(std::round(x + far * std::cos(turn)), std::round(y + far * std::sin(turn)));
    }
    if (whole(0, 1) == 1) std::ranges::reverse(hole);
  }
  return loops;
}

TEST(TriangulateLoops, CoversSquaresWithSeveralHolesExactly) {
  unsigned failures = 0;
  for (unsigned seed = 0; seed < 10'000; ++seed) {
    const std::string fault = fault_of(square_with_holes(seed));
    if (fault.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << fault;
  }
  EXPECT_EQ(failures, 0U);
}

TEST(TriangulateLoops, TakesHolesThatTouchInPointsListedTwice) {
  const Loop square{{0, 0}, {10, 0}, {20, 0}, {20, 20}, {0, 20}};
  EXPECT_EQ(fault_of({square, {{10, 0}, {6, 8}, {14, 8}}}), "");  // a hole touches the outside
  EXPECT_EQ(fault_of({square, {{10, 10}, {4, 8}, {4, 12}}, {{10, 10}, {16, 8}, {16, 12}}}), "");  // and another hole
  EXPECT_EQ(fault_of({{{0, 0}, {10, 10}, {20, 0}, {20, 20}, {10, 10}, {0, 20}}}), "");  // two triangles in one point
}

TEST(TriangulateLoops, TakesASlitFromTheOutsideToAHole) {
  const Loops keyhole{
      {{0, 0}, {10, 0}, {10, 4}, {8, 6}, {10, 8}, {12, 6}, {10, 4}, {10, 0}, {20, 0}, {20, 20}, {0, 20}}};
  // The slit is a side of two triangles, and yet not one that may be halved.
  const auto is_slit = [](const gp_XY& a, const gp_XY& b) {
    return a.X() == 10 && b.X() == 10 && std::max(a.Y(), b.Y()) <= 4;
  };
  const auto mesh = triangulate_loops(keyhole, 1000, is_slit);
  ASSERT_TRUE(mesh);
  EXPECT_EQ(area_of(*mesh), 400 - 8);
  const Sides sides = sides_of(*mesh);
  const int foot = mesh->node_of_point[1], head = mesh->node_of_point[2];
  EXPECT_EQ(sides.at({foot, head}), 1);
  EXPECT_EQ(sides.at({head, foot}), 1);
}

TEST(TriangulateLoops, TakesPointsThatFollowTheirEquals) {
  const auto mesh = triangulate_loops({{{0, 0}, {1, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}}, 100, never);
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->triangles.size(), 2U);
  EXPECT_EQ(area_of(*mesh), 1);
}

TEST(TriangulateLoops, TakesTheSquareOfThePointsAndNoMore) {
  const double disc = std::numbers::pi;
  // Nearly as many as are allowed, convex and as a ring: a cubic search took minutes.
  for (const std::size_t count : {std::size_t{1000}, k_most_boundary_points / 2}) {
    const auto ring = triangulate_loops({circle(1, count), circle(0.5, count, 0.01)}, 1'000'000, never);
    ASSERT_TRUE(ring);
    EXPECT_EQ(ring->triangles.size(), 2 * count);
    EXPECT_NEAR(area_of(*ring), 0.75 * disc, 1e-4);
  }
  EXPECT_TRUE(triangulate_loops({circle(1, k_most_boundary_points)}, 1'000'000, never));
  EXPECT_FALSE(triangulate_loops({circle(1, k_most_boundary_points + 1)}, 1'000'000, never));
}

/// Two arms that wind round each other: almost every point is hidden from almost every other.
TEST(TriangulateLoops, TakesTheSquareOfThePointsOfASpiral) {
  Loop spiral;
  constexpr int k_half = 2000;
  const auto at = [](double t, double r) { return gp_XY{r * std::cos(t), r * std::sin(t)}; };
  for (int i = 0; i < k_half; ++i) spiral.push_back(at(0.05 * i, 1 + 0.05 * i));
  for (int i = k_half; i-- > 0;) spiral.push_back(at(0.05 * i, 1.2 + 0.05 * i));
  ASSERT_EQ(spiral.size(), k_most_boundary_points);
  const auto mesh = triangulate_loops({spiral}, 1'000'000, never);
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->triangles.size(), spiral.size() - 2);
}

TEST(TriangulateLoops, CutsCombsWithTeethThatBlockEachOther) {
  Loop comb{{0, -1}, {200, -1}};
  for (int i = 200; i >= 0; --i) comb.emplace_back(i, i % 2 == 0 ? 10 : 0.1);
  const auto mesh = triangulate_loops({comb}, 1'000'000, never);
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->triangles.size(), comb.size() - 2);
  EXPECT_NEAR(area_of(*mesh), 200 * (1 + 0.1 + 9.9 / 2), 1e-9);
}

TEST(TriangulateLoops, RefusesPolygonsThatBoundNoRegion) {
  EXPECT_FALSE(triangulate_loops({}, 100, never));
  EXPECT_FALSE(triangulate_loops({{}}, 100, never));
  EXPECT_FALSE(triangulate_loops({{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}, 100, never));
  EXPECT_FALSE(triangulate_loops({{{0, 0}, {1, 0}, {1, std::nan("")}}}, 100, never));
  const Loop square{{0, 0}, {10, 0}, {10, 10}, {0, 10}};
  EXPECT_FALSE(triangulate_loops({square, {{20, 0}, {21, 0}, {21, 1}}}, 100, never));  // a hole outside
  EXPECT_FALSE(triangulate_loops({square, {{5, 5}, {12, 5}, {12, 6}}}, 100, never));   // half outside
  EXPECT_FALSE(
      triangulate_loops({square, {{2, 2}, {6, 2}, {4, 6}}, {{3, 3}, {5, 3}, {4, 4}}}, 100, never));  // in a hole
}

}  // namespace
}  // namespace snug::importer
