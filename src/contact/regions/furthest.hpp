#pragma once

#include "geometry/vec_ops.hpp"
#include "support/rooms.hpp"

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
  /// 45 degrees apart, none of them along an axis: the sides of patches often are, and all points of such a side reach as far.
  EightDirections() noexcept : to_x_{1, 0}, to_y_{0, 1} { fill(); }
  /// The same in coordinates in which the points are as wide as they are long, so that the corners of a long thin patch are found too;
  /// as without points if these lie on a line.
  explicit EightDirections(std::span<const Point2> points) noexcept : EightDirections() {
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
    if (!(xx > 0) || !(rest > k_flat * yy)) return;
    const double across = std::sqrt(rest);
    to_x_ = {1 / along, 0};
    to_y_ = {-xy / (xx * across), 1 / across};
    fill();
  }

  /// How far a point reaches along a direction. Directions lean towards the depth, so that of a thin body's corners above one
  /// another the deeper one is taken.
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
  void fill() noexcept {
    // cos and sin of 22.5 degrees.
    constexpr double c = 0.92387953251128674, s = 0.38268343236508977;
    constexpr std::array<Point2, 8> k_round{{{c, s}, {s, c}, {-s, c}, {-c, s}, {-c, -s}, {-s, -c}, {s, -c}, {c, -s}}};
    for (std::size_t k = 0; k < 8; ++k)
      direction_[k] = {k_round[k].x * to_x_.x + k_round[k].y * to_y_.x, k_round[k].x * to_x_.y + k_round[k].y * to_y_.y};
    for (std::size_t k = 0; k < 8; ++k) lean_[k] = k_lean * std::hypot(direction_[k].x, direction_[k].y);
  }
  /// Slope, no dimension: a point may lie so much further in for each unit that it is deeper. The width of a support is off by no more than
  /// this share of the differences in depth, which are small beside it.
  static constexpr double k_lean = 0x1p-6;

  Point2 to_x_, to_y_;
  std::array<Point2, 8> direction_;
  std::array<double, 8> lean_;
};

}  // namespace snug::contact
