#include "triangulate_loops.hpp"

#include "plane_front.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace snug::importer {

namespace {

using Sides =
    std::map<std::pair<int, int>, std::vector<std::pair<int, int>>>;  // by ends: triangle and corner before it

double area_of(const std::vector<gp_XY>& loop) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) sum += (loop[i] - loop[0]) ^ (loop[i + 1] - loop[0]);
  return sum;
}

/// For each point the first one with the same coordinates.
std::vector<int> first_of_equals(const std::vector<gp_XY>& points) {
  std::map<std::pair<double, double>, int> known;
  std::vector<int> first;
  first.reserve(points.size());
  for (const gp_XY& p : points)
    first.push_back(known.emplace(std::pair{p.X(), p.Y()}, static_cast<int>(first.size())).first->second);
  return first;
}

Sides sides_of(const std::vector<std::array<int, 3>>& triangles) {
  Sides sides;
  for (int t = 0; t < static_cast<int>(triangles.size()); ++t)
    for (int i = 0; i < 3; ++i) {
      const auto& corners = triangles[static_cast<std::size_t>(t)];
      const int a = corners[static_cast<std::size_t>(i)], b = corners[static_cast<std::size_t>((i + 1) % 3)];
      sides[std::minmax(a, b)].emplace_back(t, i);
    }
  return sides;
}

}  // namespace

bool refine(PlaneMesh& mesh, std::size_t most, const std::function<bool(const gp_XY&, const gp_XY&)>& is_too_long) {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<bool> touched(mesh.triangles.size());
    for (const auto& [ends, owners] : sides_of(mesh.triangles)) {
      if (owners.size() != 2 || std::ranges::binary_search(mesh.boundary, ends) ||
          touched[static_cast<std::size_t>(owners[0].first)] || touched[static_cast<std::size_t>(owners[1].first)])
        continue;
      const gp_XY a = mesh.points[static_cast<std::size_t>(ends.first)],
                  b = mesh.points[static_cast<std::size_t>(ends.second)];
      if (!is_too_long(a, b)) continue;
      const int middle = static_cast<int>(mesh.points.size());
      mesh.points.push_back((a + b) / 2);
      for (const auto& [triangle, corner] : owners) {
        touched[static_cast<std::size_t>(triangle)] = true;
        std::array<int, 3>& old = mesh.triangles[static_cast<std::size_t>(triangle)];
        const auto next = static_cast<std::size_t>((corner + 1) % 3);
        std::array<int, 3> half = old;
        half[static_cast<std::size_t>(corner)] = middle;
        old[next] = middle;
        mesh.triangles.push_back(half);
      }
      changed = true;
    }
    if (mesh.triangles.size() > most) return false;
  }
  return true;
}

std::optional<PlaneMesh> triangulate_loops(const std::vector<std::vector<gp_XY>>& loops, std::size_t most,
                                           const std::function<bool(const gp_XY&, const gp_XY&)>& is_too_long) {
  PlaneMesh mesh;
  for (const std::vector<gp_XY>& loop : loops) mesh.points.insert(mesh.points.end(), loop.begin(), loop.end());
  const auto is_finite = [](const gp_XY& p) { return std::isfinite(p.X()) && std::isfinite(p.Y()); };
  if (mesh.points.empty() || mesh.points.size() > k_most_boundary_points ||
      !std::ranges::all_of(mesh.points, is_finite))
    return std::nullopt;
  mesh.node_of_point = first_of_equals(mesh.points);

  std::vector<Point2> points;
  points.reserve(mesh.points.size());
  for (const gp_XY& p : mesh.points) points.push_back({p.X(), p.Y()});
  PlaneFront front(std::move(points));
  // The largest is around the others, which run the other way.
  const auto outer = std::ranges::max_element(loops, {}, [](const auto& loop) { return std::abs(area_of(loop)); });
  std::size_t base = 0;
  for (const std::vector<gp_XY>& loop : loops) {
    const bool reverse = (area_of(loop) > 0) != (&loop == &*outer);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int a = mesh.node_of_point[base + i], b = mesh.node_of_point[base + (i + 1) % loop.size()];
      if (a == b) continue;
      mesh.boundary.push_back(std::minmax({a, b}));
      reverse ? front.add_side(b, a) : front.add_side(a, b);
    }
    base += loop.size();
  }
  std::ranges::sort(mesh.boundary);
  if (front.crosses_itself() || !front.triangulate(mesh.triangles) || !refine(mesh, most, is_too_long))
    return std::nullopt;
  return mesh;
}

}  // namespace snug::importer
