#include "verdict/outline.hpp"

#include "geometry/vec_ops.hpp"
#include "support/disjoint_sets.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

namespace snug::detail {

namespace {

/// Numbers corners such that those closer than the tolerance share a number.
class Corners {
 public:
  Corners(const std::vector<Loop>& pieces, double tolerance) {
    for (const Loop& piece : pieces) points_.insert(points_.end(), piece.begin(), piece.end());
    std::vector<std::uint32_t> order(points_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(points_[i], i); });
    DisjointSets same(points_.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t j = i + 1; j < order.size() && points_[order[j]].x - points_[order[i]].x <= tolerance; ++j)
        if (max_abs(points_[order[i]] - points_[order[j]]) <= tolerance) same.join(order[i], order[j]);
    for (std::uint32_t i = 0; i < points_.size(); ++i) number_.push_back(same.find(i));
  }
  [[nodiscard]] std::uint32_t number(std::size_t corner) const noexcept { return number_[corner]; }
  [[nodiscard]] const Point3& point(std::uint32_t number) const noexcept { return points_[number]; }

 private:
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

}  // namespace

std::vector<Loop> outline(const std::vector<Loop>& pieces, double tolerance) {
  const Corners corners(pieces, tolerance);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
  std::size_t first = 0;
  for (const Loop& piece : pieces) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const std::uint32_t from = corners.number(first + i), to = corners.number(first + (i + 1) % piece.size());
      if (from == to) continue;
      if (const auto back = uses.find({to, from}); back != uses.end()) {
        if (--back->second == 0) uses.erase(back);
      } else {
        ++uses[{from, to}];
      }
    }
    first += piece.size();
  }

  std::vector<Loop> loops;
  while (!uses.empty()) {
    const std::uint32_t start = uses.begin()->first.first;
    Loop loop;
    std::uint32_t at = start;
    do {
      const auto edge = uses.lower_bound({at, 0});
      if (edge == uses.end() || edge->first.first != at) return pieces;
      loop.push_back(corners.point(at));
      at = edge->first.second;
      if (--edge->second == 0) uses.erase(edge);
    } while (at != start);
    loop = without_straight_corners(loop, tolerance);
    if (loop.size() >= 3) loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace snug::detail
