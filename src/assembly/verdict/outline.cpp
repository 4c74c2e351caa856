#include "assembly/verdict/outline.hpp"

#include "geometry/vec_ops.hpp"
#include "support/disjoint_sets.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <unordered_map>
#include <utility>

namespace snug::assembly {

namespace {

bool is_cancelled(const CancelToken* cancel) noexcept { return cancel != nullptr && cancel->cancelled(); }

/// Numbers corners such that those closer than the tolerance share a number.
class Corners {
 public:
  Corners(const std::vector<Loop>& pieces, double tolerance, const CancelToken* cancel) {
    for (const Loop& piece : pieces) points_.insert(points_.end(), piece.begin(), piece.end());
    Aabb box;
    for (const Point3& p : points_) box.include(p);
    // Cells far larger than the tolerance, so that hardly a corner has to look into more than its own.
    constexpr double k_cell = 64;
    const double scale = tolerance > 0 ? 1 / (k_cell * tolerance) : 0;
    const auto cell_of = [&](const Point3& p) {
      const Vec3 d = scale * (p - box.lo);
      return Cell{std::floor(d.x), std::floor(d.y), std::floor(d.z)};
    };
    constexpr std::uint32_t k_none = ~std::uint32_t{0};
    std::unordered_map<Cell, std::uint32_t, CellHash> first_in;  // never iterated
    std::vector<std::uint32_t> next(points_.size(), k_none);
    first_in.reserve(points_.size());
    DisjointSets same(points_.size());
    const Vec3 reach{2 * tolerance, 2 * tolerance, 2 * tolerance};  // covers the rounding of cells
    for (std::uint32_t i = 0; i < points_.size() && !is_cancelled(cancel); ++i) {
      const Cell lo = cell_of(points_[i] - reach), hi = cell_of(points_[i] + reach);
      bool known = false;
      Cell at;
      for (at[0] = lo[0]; at[0] <= hi[0]; ++at[0])
        for (at[1] = lo[1]; at[1] <= hi[1]; ++at[1])
          for (at[2] = lo[2]; at[2] <= hi[2]; ++at[2]) {
            const auto found = first_in.find(at);
            for (std::uint32_t k = found == first_in.end() ? k_none : found->second; k != k_none; k = next[k]) {
              if (max_abs(points_[i] - points_[k]) <= tolerance) same.join(i, k);
              known |= points_[i] == points_[k];
            }
          }
      // One of several at the same point is enough for those to come.
      if (known) continue;
      const auto [own, fresh] = first_in.try_emplace(cell_of(points_[i]), i);
      if (!fresh) next[i] = std::exchange(own->second, i);
    }
    for (std::uint32_t i = 0; i < points_.size(); ++i) number_.push_back(same.find(i));
  }
  [[nodiscard]] std::uint32_t number(std::size_t corner) const noexcept { return number_[corner]; }
  [[nodiscard]] const Point3& point(std::uint32_t number) const noexcept { return points_[number]; }

 private:
  using Cell = std::array<double, 3>;
  struct CellHash {
    std::size_t operator()(const Cell& cell) const noexcept {
      std::uint64_t mixed = 0;
      for (const double c : cell)
        mixed = (mixed ^ std::bit_cast<std::uint64_t>(c + 0.0)) * 0x9E3779B97F4A7C15U, mixed ^= mixed >> 32;
      return static_cast<std::size_t>(mixed);
    }
  };
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

/// Directed edges; one and its reverse cancel. All are added before any is read.
class Edges {
 public:
  void add(const Edge& edge) {
    if (edge.first != edge.second) edges_.push_back(edge);
  }
  /// Cancels, and sorts what is left.
  void settle() {
    const auto undirected = [](const Edge& e) { return std::minmax(e.first, e.second); };
    std::ranges::sort(edges_, [&](const Edge& a, const Edge& b) {
      return std::pair(undirected(a), a) < std::pair(undirected(b), b);
    });
    std::vector<Edge> left;
    for (std::size_t begin = 0, end = 0; begin < edges_.size(); begin = end) {
      std::ptrdiff_t forward = 0;
      for (; end < edges_.size() && undirected(edges_[end]) == undirected(edges_[begin]); ++end)
        forward += edges_[end].first < edges_[end].second ? 1 : -1;
      const auto [lo, hi] = undirected(edges_[begin]);
      left.insert(left.end(), static_cast<std::size_t>(std::abs(forward)), forward > 0 ? Edge(lo, hi) : Edge(hi, lo));
    }
    std::ranges::sort(left);
    edges_ = std::move(left), taken_.assign(edges_.size(), false), begin_ = 0;
  }
  [[nodiscard]] bool empty() noexcept {
    while (begin_ < edges_.size() && taken_[begin_]) ++begin_;
    return begin_ == edges_.size();
  }
  /// Precondition: not empty.
  [[nodiscard]] std::uint32_t any_start() const noexcept { return edges_[begin_].first; }
  /// Takes an edge away that starts at a corner, and returns where it ends.
  std::optional<std::uint32_t> follow(std::uint32_t from) {
    auto i = static_cast<std::size_t>(std::ranges::lower_bound(edges_, Edge(from, 0)) - edges_.begin());
    while (i < edges_.size() && edges_[i].first == from && taken_[i]) ++i;
    if (i == edges_.size() || edges_[i].first != from) return std::nullopt;
    taken_[i] = true;
    return edges_[i].second;
  }
  [[nodiscard]] const std::vector<Edge>& all() const noexcept { return edges_; }

 private:
  std::vector<Edge> edges_;
  std::vector<bool> taken_;
  std::size_t begin_ = 0;
};

/// Splits edges at corners that lie on them, so that one long edge cancels against several short ones.
Edges split(const Edges& edges, const Corners& corners, double tolerance, const CancelToken* cancel) {
  const std::vector<Edge>& all = edges.all();
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
  std::vector<std::pair<double, std::uint32_t>> stops;
  for (const auto& [from, to] : all) {
    if (is_cancelled(cancel)) break;
    const Point3 &p = corners.point(from), &q = corners.point(to);
    const Vec3 along = q - p;
    const double length2 = dot(along, along);
    const auto [lo, hi] = std::minmax({p[axis], q[axis]});
    stops.assign({{0, from}, {1, to}});
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
  result.settle();
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
  edges.settle();
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

}  // namespace snug::assembly
