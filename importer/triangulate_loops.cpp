#include "triangulate_loops.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace snug::importer {

namespace {

using Loop = std::vector<int>;
using Sides =
    std::map<std::pair<int, int>, std::vector<std::pair<int, int>>>;  // by ends: triangle and corner before it

class Region {
 public:
  explicit Region(std::vector<gp_XY> points) : points_(std::move(points)) {}

  [[nodiscard]] double area(int a, int b, int c) const {
    return (points_[at(b)] - points_[at(a)]) ^ (points_[at(c)] - points_[at(a)]);
  }
  [[nodiscard]] double area(const Loop& loop) const {
    double sum = 0;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) sum += area(loop[0], loop[i], loop[i + 1]);
    return sum;
  }
  [[nodiscard]] bool is_within(int p, int a, int b, int c) const {
    return area(a, b, p) >= 0 && area(b, c, p) >= 0 && area(c, a, p) >= 0;
  }
  [[nodiscard]] bool is_same(int a, int b) const { return (points_[at(a)] - points_[at(b)]).SquareModulus() == 0; }
  [[nodiscard]] double length(int a, int b) const { return (points_[at(a)] - points_[at(b)]).SquareModulus(); }

  /// Takes the hole into the loop around it, by a bridge that is gone along both ways.
  bool bridge(Loop& outer, const Loop& hole) const {
    double shortest = -1;
    std::size_t from = 0, to = 0;
    for (std::size_t i = 0; i < outer.size(); ++i)
      for (std::size_t k = 0; k < hole.size(); ++k) {
        const double l = length(outer[i], hole[k]);
        if ((shortest >= 0 && l >= shortest) || is_crossed(outer[i], hole[k], outer) ||
            is_crossed(outer[i], hole[k], hole))
          continue;
        shortest = l, from = i, to = k;
      }
    if (shortest < 0) return false;
    Loop out(outer.begin(), outer.begin() + static_cast<std::ptrdiff_t>(from) + 1);
    for (std::size_t k = 0; k <= hole.size(); ++k) out.push_back(hole[(to + k) % hole.size()]);
    out.insert(out.end(), outer.begin() + static_cast<std::ptrdiff_t>(from), outer.end());
    outer = std::move(out);
    return true;
  }

  /// Cuts off corners, the one with the shortest new side first: all are equal ears if nothing lies in them.
  bool cut_ears(Loop loop, std::vector<std::array<int, 3>>& triangles) const {
    while (loop.size() > 3) {
      const std::size_t n = loop.size();
      double shortest = -1;
      std::size_t best = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const int a = loop[(i + n - 1) % n], b = loop[i], c = loop[(i + 1) % n];
        const double l = length(a, c);
        if (is_flat(a, b, c) || (shortest >= 0 && l >= shortest) || !is_ear(loop, a, b, c)) continue;
        shortest = l, best = i;
      }
      if (shortest < 0) return false;
      triangles.push_back({loop[(best + n - 1) % n], loop[best], loop[(best + 1) % n]});
      loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(best));
    }
    if (loop.size() < 3 || is_flat(loop[0], loop[1], loop[2])) return false;
    triangles.push_back({loop[0], loop[1], loop[2]});
    return true;
  }

  [[nodiscard]] const std::vector<gp_XY>& points() const { return points_; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  /// Turned the other way, or straight but for the rounding of coordinates.
  [[nodiscard]] bool is_flat(int a, int b, int c) const {
    constexpr double k_rounding = 0x1p-40;
    return !(area(a, b, c) > k_rounding * (length(a, b) + length(b, c)));
  }
  [[nodiscard]] bool is_crossed(int a, int b, const Loop& loop) const {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int c = loop[i], d = loop[(i + 1) % loop.size()];
      if (is_same(c, a) || is_same(c, b) || is_same(d, a) || is_same(d, b)) continue;
      const bool ab = (area(a, b, c) >= 0) != (area(a, b, d) >= 0), cd = (area(c, d, a) >= 0) != (area(c, d, b) >= 0);
      if (ab && cd) return true;
    }
    return false;
  }
  [[nodiscard]] bool is_ear(const Loop& loop, int a, int b, int c) const {
    return std::ranges::none_of(
        loop, [&](int p) { return !is_same(p, a) && !is_same(p, b) && !is_same(p, c) && is_within(p, a, b, c); });
  }

  std::vector<gp_XY> points_;
};

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

/// Halves, in each round, sides of triangles that no other side of the round belongs to.
bool refine(PlaneMesh& mesh, std::size_t most, const std::function<bool(const gp_XY&, const gp_XY&)>& is_too_long) {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<bool> touched(mesh.triangles.size());
    for (const auto& [ends, owners] : sides_of(mesh.triangles)) {
      if (owners.size() != 2 || touched[static_cast<std::size_t>(owners[0].first)] ||
          touched[static_cast<std::size_t>(owners[1].first)])
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

}  // namespace

std::optional<PlaneMesh> triangulate_loops(const std::vector<std::vector<gp_XY>>& loops, std::size_t most,
                                           const std::function<bool(const gp_XY&, const gp_XY&)>& is_too_long) {
  std::vector<gp_XY> points;
  std::vector<Loop> rings;
  for (const std::vector<gp_XY>& loop : loops) {
    Loop& ring = rings.emplace_back(loop.size());
    std::iota(ring.begin(), ring.end(), static_cast<int>(points.size()));
    points.insert(points.end(), loop.begin(), loop.end());
  }
  const Region region(std::move(points));
  // The largest is around the others, which run the other way.
  std::ranges::stable_sort(rings, std::greater(), [&](const Loop& ring) { return std::abs(region.area(ring)); });
  if (rings.empty() || rings.front().size() < 3) return std::nullopt;
  for (std::size_t i = 0; i < rings.size(); ++i)
    if ((region.area(rings[i]) > 0) != (i == 0)) std::ranges::reverse(rings[i]);
  for (std::size_t i = 1; i < rings.size(); ++i)
    if (!region.bridge(rings[0], rings[i])) return std::nullopt;
  PlaneMesh mesh{region.points(), {}};
  if (!region.cut_ears(rings[0], mesh.triangles) || !refine(mesh, most, is_too_long)) return std::nullopt;
  return mesh;
}

}  // namespace snug::importer
