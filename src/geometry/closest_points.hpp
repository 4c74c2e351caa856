#pragma once

#include "support/rooms.hpp"

#include <snug/triangle.hpp>

namespace snug::geometry {

/// The distance of closest_points(), always computed in twice the digits: the last bit counts where a gap is compared with
/// a clearance that it is meant to have.
[[nodiscard]] double precise_distance(const Triangle& a, const Triangle& b) noexcept;

/// closest_points() with the direction from a to b, of unit length, more precise than the points are; zero if they touch.
struct Approach {
  ClosestPoints points;
  Vec3 direction;
  bool beyond =
      false;  ///< it was soon seen that they are further apart than asked for; only the direction is known, roughly
};
[[nodiscard]] Approach approach(const Triangle& a, const Triangle& b, double reach) noexcept;

/// Lower bound on the distance of two triangles: the gap along a direction of unit length or against it, zero if there is none.
/// Good to nearly all digits if the direction is that of their approach.
[[nodiscard]] double gap_along(const Vec3& direction, const Triangle& a, const Triangle& b) noexcept;

}  // namespace snug::geometry
