#include "assembly/verdict/outline.hpp"

#include "geometry/vec_ops.hpp"
#include "support/disjoint_sets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace snug::detail {

namespace {

bool is_cancelled(const CancelToken* cancel) noexcept { return cancel != nullptr && cancel->cancelled(); }

/// Numbers corners such that those closer than the tolerance share a number.
class Corners {
 public:
  Corners(const std::vector<Loop>& pieces, double tolerance, const CancelToken* cancel) {
    for (const Loop& piece : pieces) points_.insert(points_.end(), piece.begin(), piece.end());
    // By cells as large as the tolerance: what is closer lies in the same cell or in one beside it.
    Aabb box;
    for (const Point3& p : points_) box.include(p);
    const auto cell_of = [&](const Point3& p) {
      const Vec3 d = tolerance > 0 ? (1 / tolerance) * (p - box.lo) : Vec3{};
      return Cell{std::floor(d.x), std::floor(d.y), std::floor(d.z)};
    };
    std::map<Cell, std::vector<std::uint32_t>> in_cell;
    DisjointSets same(points_.size());
    for (std::uint32_t i = 0; i < points_.size() && !is_cancelled(cancel); ++i) {
      const Cell at = cell_of(points_[i]);
      for (const double x : {-1.0, 0.0, 1.0})
        for (const double y : {-1.0, 0.0, 1.0})
          for (const double z : {-1.0, 0.0, 1.0}) {
            const auto found = in_cell.find({at[0] + x, at[1] + y, at[2] + z});
            if (found == in_cell.end()) continue;
            for (const std::uint32_t j : found->second)
              if (max_abs(points_[i] - points_[j]) <= tolerance) same.join(i, j);
          }
      // One of several in the same place is enough for those to come.
      std::vector<std::uint32_t>& here = in_cell[at];
      if (std::ranges::none_of(here, [&](std::uint32_t j) { return points_[j] == points_[i]; })) here.push_back(i);
    }
    for (std::uint32_t i = 0; i < points_.size(); ++i) number_.push_back(same.find(i));
  }
  [[nodiscard]] std::uint32_t number(std::size_t corner) const noexcept { return number_[corner]; }
  [[nodiscard]] const Point3& point(std::uint32_t number) const noexcept { return points_[number]; }

 private:
  using Cell = std::array<double, 3>;
  std::vector<Point3> points_;
  std::vector<std::uint32_t> number_;
};

/// Drops corners that lie on the line between their neighbours.
Loop without_straight_corners(const Loop& loop, double tolerance) {
  Loop kept;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Point3& before = kept.empty() ? loop.back() : kept.back();
    const Point3& after = loop[(i + 1) % loop.size()];
    const Vec3 along = after - before, turn = cross(along, loop[i] - before);
    if (std::sqrt(dot(turn, turn)) > tolerance * std::sqrt(dot(along, along))) kept.push_back(loop[i]);
  }
  return kept;
}

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// Directed edges; one and its reverse cancel.
class Edges {
 public:
  void add(const Edge& edge) {
    if (edge.first == edge.second) return;
    if (const auto back = uses_.find({edge.second, edge.first}); back != uses_.end()) {
      if (--back->second == 0) uses_.erase(back);
    } else {
      ++uses_[edge];
    }
  }
  [[nodiscard]] bool empty() const noexcept { return uses_.empty(); }
  [[nodiscard]] std::uint32_t any_start() const noexcept { return uses_.begin()->first.first; }
  /// Takes an edge away that starts at a corner, and returns where it ends.
  std::optional<std::uint32_t> follow(std::uint32_t from) {
    const auto edge = uses_.lower_bound({from, 0});
    if (edge == uses_.end() || edge->first.first != from) return std::nullopt;
    const std::uint32_t to = edge->first.second;
    if (--edge->second == 0) uses_.erase(edge);
    return to;
  }
  [[nodiscard]] std::vector<Edge> all() const {
    std::vector<Edge> edges;
    for (const auto& [edge, count] : uses_) edges.insert(edges.end(), static_cast<std::size_t>(count), edge);
    return edges;
  }

 private:
  std::map<Edge, int> uses_;
};

/// Splits edges at corners that lie on them, so that one long edge cancels against several short ones.
Edges split(const Edges& edges, const Corners& corners, double tolerance, const CancelToken* cancel) {
  const std::vector<Edge> all = edges.all();
  std::vector<std::uint32_t> starts;
  Aabb box;
  for (const auto& [from, to] : all) {
    starts.push_back(from);
    box.include(corners.point(from));
  }
  // Sorted along the longest side, so that each edge looks only at corners it can reach.
  const Vec3 size = box.hi - box.lo;
  const std::size_t axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto along_axis = [&](std::uint32_t corner) { return corners.point(corner)[axis]; };
  std::ranges::sort(starts, {}, [&](std::uint32_t corner) { return std::pair(along_axis(corner), corner); });
  starts.erase(std::ranges::unique(starts).begin(), starts.end());

  Edges result;
  for (const auto& [from, to] : all) {
    if (is_cancelled(cancel)) break;
    const Point3 &p = corners.point(from), &q = corners.point(to);
    const Vec3 along = q - p;
    const double length2 = dot(along, along);
    const auto [lo, hi] = std::minmax({p[axis], q[axis]});
    std::vector<std::pair<double, std::uint32_t>> stops{{0, from}, {1, to}};
    for (auto i = std::ranges::lower_bound(starts, lo - tolerance, {}, along_axis);
         i != starts.end() && along_axis(*i) <= hi + tolerance; ++i) {
      const Vec3 offset = corners.point(*i) - p;
      const double t = dot(offset, along) / length2;
      if (*i != from && *i != to && t > 0 && t < 1 && max_abs(offset - t * along) <= tolerance)
        stops.emplace_back(t, *i);
    }
    std::ranges::sort(stops);
    for (std::size_t i = 1; i < stops.size(); ++i) result.add({stops[i - 1].second, stops[i].second});
  }
  return result;
}

}  // namespace

std::vector<Loop> outline(const std::vector<Loop>& pieces, double tolerance, const CancelToken* cancel) {
  const Corners corners(pieces, tolerance, cancel);
  Edges edges;
  std::size_t first = 0;
  for (const Loop& piece : pieces) {
    for (std::size_t i = 0; i < piece.size(); ++i)
      edges.add({corners.number(first + i), corners.number(first + (i + 1) % piece.size())});
    first += piece.size();
  }
  edges = split(edges, corners, 4 * tolerance, cancel);

  std::vector<Loop> loops;
  while (!edges.empty()) {
    const std::uint32_t start = edges.any_start();
    Loop loop;
    std::uint32_t at = start;
    do {
      loop.push_back(corners.point(at));
      const auto next = edges.follow(at);
      if (!next) return pieces;
      at = *next;
    } while (at != start);
    loop = without_straight_corners(loop, tolerance);
    if (loop.size() >= 3) loops.push_back(std::move(loop));
  }
  // Pieces narrower than the tolerance leave nothing; better as they are than not at all.
  return loops.empty() ? pieces : loops;
}

}  // namespace snug::detail
