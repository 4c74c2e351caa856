#include "triangulate_loops.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <span>
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

  /// Takes the first of the holes into the loop around it, by a bridge that is gone along both ways and crosses no other hole.
  bool bridge(Loop& outer, std::span<const Loop> holes) const {
    const Loop& hole = holes.front();
    struct Candidate {
      double length;
      std::uint32_t from, to;
      auto operator<=>(const Candidate&) const = default;
    };
    std::vector<Candidate> candidates;
    candidates.reserve(outer.size() * hole.size());
    for (std::uint32_t i = 0; i < outer.size(); ++i)
      for (std::uint32_t k = 0; k < hole.size(); ++k) candidates.push_back({length(outer[i], hole[k]), i, k});
    std::ranges::sort(candidates);  // the shortest that crosses nothing is mostly among the first
    const auto found = std::ranges::find_if(candidates, [&](const Candidate& c) {
      return !is_crossed(outer[c.from], hole[c.to], outer) &&
             std::ranges::none_of(holes, [&](const Loop& ring) { return is_crossed(outer[c.from], hole[c.to], ring); });
    });
    if (found == candidates.end()) return false;
    const std::size_t from = found->from, to = found->to;
    Loop out(outer.begin(), outer.begin() + static_cast<std::ptrdiff_t>(from) + 1);
    for (std::size_t k = 0; k <= hole.size(); ++k) out.push_back(hole[(to + k) % hole.size()]);
    out.insert(out.end(), outer.begin() + static_cast<std::ptrdiff_t>(from), outer.end());
    outer = std::move(out);
    return true;
  }

  /// Cuts off corners, the one with the shortest new side first: all are equal ears if nothing lies in them. A corner that is
  /// cut off changes what its two neighbours are, and no other: it was convex, and only corners that turn the other way can
  /// lie in an ear. Rounding may have it otherwise, so all are looked at once more before it is given up.
  bool cut_ears(const Loop& loop, std::vector<std::array<int, 3>>& triangles) const {
    const std::size_t n = loop.size();
    std::vector<std::size_t> next(n), previous(n);
    for (std::size_t i = 0; i < n; ++i) next[i] = (i + 1) % n, previous[i] = (i + n - 1) % n;
    std::vector<double> ear(n, -1);  // length of its new side, negative if it is none
    std::set<std::pair<double, std::size_t>> ears;
    const auto judge = [&](std::size_t i) {
      if (ear[i] >= 0) ears.erase({ear[i], i});
      const int a = loop[previous[i]], b = loop[i], c = loop[next[i]];
      ear[i] = !is_flat(a, b, c) && is_ear(loop, next, previous[i], i) ? length(a, c) : -1;
      if (ear[i] >= 0) ears.emplace(ear[i], i);
    };
    for (std::size_t i = 0; i < n; ++i) judge(i);
    std::size_t left = n, some = 0;
    for (; left > 3; --left) {
      if (ears.empty()) {
        for (std::size_t i = next[some]; i != some; i = next[i]) judge(i);
        judge(some);
        if (ears.empty()) return false;
      }
      const std::size_t best = ears.begin()->second;
      triangles.push_back({loop[previous[best]], loop[best], loop[next[best]]});
      ears.erase(ears.begin());
      next[previous[best]] = next[best], previous[next[best]] = previous[best];
      some = next[best];
      judge(previous[best]), judge(next[best]);
    }
    const int a = loop[previous[some]], b = loop[some], c = loop[next[some]];
    if (left < 3 || is_flat(a, b, c)) return false;
    triangles.push_back({a, b, c});
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
  /// Does nothing that is left of the loop lie in the triangle at its corner i?
  [[nodiscard]] bool is_ear(const Loop& loop, const std::vector<std::size_t>& next, std::size_t before,
                            std::size_t i) const {
    const int a = loop[before], b = loop[i], c = loop[next[i]];
    for (std::size_t k = next[next[i]]; k != before; k = next[k]) {
      const int p = loop[k];
      if (!is_same(p, a) && !is_same(p, b) && !is_same(p, c) && is_within(p, a, b, c)) return false;
    }
    return true;
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

}  // namespace

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
  if (rings.empty() || rings.front().size() < 3 || region.points().size() > k_most_boundary_points) return std::nullopt;
  for (std::size_t i = 0; i < rings.size(); ++i)
    if ((region.area(rings[i]) > 0) != (i == 0)) std::ranges::reverse(rings[i]);
  for (std::size_t i = 1; i < rings.size(); ++i)
    if (!region.bridge(rings[0], std::span(rings).subspan(i))) return std::nullopt;
  PlaneMesh mesh{region.points(), {}};
  if (!region.cut_ears(rings[0], mesh.triangles) || !refine(mesh, most, is_too_long)) return std::nullopt;
  return mesh;
}

}  // namespace snug::importer
