#pragma once

#include <snug/predicates.hpp>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace snug::importer {

/// The boundary of the part of a plane region that is not yet triangulated: directed sides with the region on their left. It
/// need not be connected, so holes need no bridges to the polygon around them. Every decision about validity is an exact
/// orientation sign; rounding can only change which of several valid triangles is taken.
class PlaneFront {
 public:
  /// `points` are distinct.
  explicit PlaneFront(std::vector<Point2> points);

  void add_side(int from, int to) { targets_[at(from)].push_back(to); }

  /// True if two sides cross in a point inside both.
  [[nodiscard]] bool crosses_itself() const;

  /// Triangulates the region: each triangle joins a side to the visible point that sees it under the largest angle, so the
  /// result is a constrained Delaunay triangulation but for rounding. Triangles are counter-clockwise. False if a side sees no
  /// point: the sides do not bound a region, or a point lies on a side.
  bool triangulate(std::vector<std::array<int, 3>>& triangles);

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] int orient(int a, int b, int c) const {
    return orient2d(points_[at(a)], points_[at(b)], points_[at(c)]);
  }
  [[nodiscard]] double cotangent_at(int apex, int a, int b) const;
  [[nodiscard]] bool do_cross(int a, int b, int p, int q) const;
  [[nodiscard]] bool is_blocking(int p, int q, int a, int b, int c) const;
  [[nodiscard]] bool is_visible(int a, int b, int c);
  [[nodiscard]] int apex_of(int a, int b);
  void cover(int from, int to);

  std::vector<Point2> points_;
  std::vector<std::vector<int>> targets_;      ///< by the point where sides begin: the points where they end
  std::vector<int> active_;                    ///< points where sides begin, shuffled
  std::pair<int, int> last_blocking_{-1, -1};  ///< blocks the next candidate more often than any other side
};

}  // namespace snug::importer
