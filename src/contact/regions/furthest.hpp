#pragma once

#include "geometry/vec_ops.hpp"
#include "support/rooms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace snug::contact {

/// A point across a normal.
struct Point2 {
  double x = 0, y = 0;
};

/// Eight directions across a normal. The points of a patch that reach furthest along them are its manifold.
class EightDirections {
 public:
  /// 45 degrees apart, the first at 12.7: halfway between no two corners of a regular polygon of fewer than 39, and along no side of one, so
  /// that rounding does not choose among points that reach as far.
  EightDirections() noexcept : to_x_{1, 0}, to_y_{0, 1} { fill(); }
  /// The same in coordinates in which the points are as wide as they are long, so that the corners of a long thin patch are found too;
  /// as without points if these lie on a line. Directions lean towards points that are deep, beside `deepest`.
  EightDirections(std::span<const Point2> points, double deepest) noexcept : EightDirections() {
    Point2 mean;
    for (const Point2& p : points) mean.x += p.x, mean.y += p.y;
    const auto count = static_cast<double>(points.size());
    mean.x /= count, mean.y /= count;
    double xx = 0, xy = 0, yy = 0;
    for (const Point2& p : points) {
      const double x = p.x - mean.x, y = p.y - mean.y;
      xx += x * x, xy += x * y, yy += y * y;
    }
    // Rows of the inverse of the Cholesky factor of the covariance.
    const double along = std::sqrt(xx), rest = yy - xy * (xy / xx);
    if (xx > 0 && rest > k_flat * yy) {
      const double across = std::sqrt(rest);
      to_x_ = {1 / along, 0};
      to_y_ = {-xy / (xx * across), 1 / across};
      fill();
    }
    for (std::size_t k = 0; k < 8 && deepest > 0; ++k) {
      double lo = std::numeric_limits<double>::infinity(), hi = -lo;
      for (const Point2& p : points) lo = std::min(lo, reach(k, p, 0)), hi = std::max(hi, reach(k, p, 0));
      lean_[k] = k_lean * (0.5 * (hi - lo) / deepest);
    }
  }

  /// How far a point reaches along a direction.
  [[nodiscard]] double reach(std::size_t k, const Point2& p, double depth) const noexcept {
    return direction_[k].x * p.x + direction_[k].y * p.y + lean_[k] * depth;
  }
  /// No point of a rectangle that is no deeper reaches further.
  [[nodiscard]] double reach(std::size_t k, const Point2& lo, const Point2& hi, double depth) const noexcept {
    return reach(k, {direction_[k].x > 0 ? hi.x : lo.x, direction_[k].y > 0 ? hi.y : lo.y}, depth);
  }

 private:
  /// Share of their square that is left of the widths of points on a line, by rounding.
  static constexpr double k_flat = 0x1p-40;
  /// Half widths of the patch for the deepest depth, no dimension. Of a ball on a plane the points are then two thirds of the patch's radius
  /// out and as deep as half of the deepest, where with less than half of it they would lie on the rim and carry nothing; and with more
  /// than 1 the shallow corners of a tilted box would give way to its deep ones.
  static constexpr double k_lean = 0.75;
  void fill() noexcept {
    // Cosines and sines of 12.7 and 57.7 degrees.
    constexpr double c = 0.9755345439458566, s = 0.2198462043528375, d = 0.5343523493898265, t = 0.8452618332218561;
    constexpr std::array<Point2, 8> k_round{{{c, s}, {d, t}, {-s, c}, {-t, d}, {-c, -s}, {-d, -t}, {s, -c}, {t, -d}}};
    for (std::size_t k = 0; k < 8; ++k)
      direction_[k] = {k_round[k].x * to_x_.x + k_round[k].y * to_y_.x,
                       k_round[k].x * to_x_.y + k_round[k].y * to_y_.y};
  }

  Point2 to_x_, to_y_;
  std::array<Point2, 8> direction_;
  std::array<double, 8> lean_{};
};

}  // namespace snug::contact
