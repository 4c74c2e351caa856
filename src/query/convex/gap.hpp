#pragma once

#include "shape/convex.hpp"
#include "support/rooms.hpp"

#include <limits>

namespace snug::query {

/// What a search for the gap between two bodies may stop at, in the scaled unit.
struct GapAim {
  double touching = 0;                                     ///< no more than this apart is as good as touching
  double clear = std::numeric_limits<double>::infinity();  ///< more than this apart is clear
  double width = 0x1p-42;                                  ///< between the bounds: they will do
  double share = 1;                                        ///< a lower bound of this share of the upper one will do
};

/// Bounds on the distance of two solids, both certain: the lower one is the gap between two planes that keep the bodies
/// apart, the upper one the distance of two of their points. In the scaled unit, wrong by no more than k_gap_rounding.
struct Gap {
  double lower = 0, upper = std::numeric_limits<double>::infinity();
  Point3 on_a, on_b;
  /// From a to b, unit length, across the widest gap found; zero if none was.
  Vec3 normal;
};
inline constexpr double k_gap_rounding = 0x1p-47;

/// From b to a, of unit length: that of the points, unless these are so close that rounding turns it. Zero if it is not known.
[[nodiscard]] inline Vec3 normal_of(const Gap& gap) noexcept {
  const Vec3 way = gap.on_a - gap.on_b;
  const double length = length_of(way);
  return length > 0x1p-20 ? (1 / length) * way : -gap.normal;
}

/// The method of Gilbert, Johnson and Keerthi (1988), in doubles and, where these can not bring the bounds together, in
/// double-double. `guess` is a direction from a to b, or zero.
[[nodiscard]] Gap gap_between(const Convex& a, const Convex& b, const GapAim& aim, const Vec3& guess = {}) noexcept;

}  // namespace snug::query
