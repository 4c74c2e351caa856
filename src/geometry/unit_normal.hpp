#pragma once

#include "geometry/power_of_two.hpp"
#include "geometry/vec_ops.hpp"
#include "support/rooms.hpp"

#include <algorithm>

namespace snug::geometry {

/// The vector in unit length; zero if it has none.
[[nodiscard]] inline Vec3 to_unit(const Vec3& v) noexcept {
  const double largest = max_abs(v);
  if (!(largest > 0)) return {};
  const Vec3 scaled = (1 / largest) * v;
  return (1 / length_of(scaled)) * scaled;
}

/// The length of a vector whose square may be out of range, as that of an area is. The same bits as length_of() where it is not.
[[nodiscard]] inline double length_in_range(const Vec3& v) noexcept {
  const double scale = power_to_one(max_abs(v));
  return length_of(scale * v) / scale;
}

/// (b - a) x (c - a) in unit length; zero if it has none.
[[nodiscard]] inline Vec3 unit_normal_of(const Triangle& t) noexcept {
  const double scale = power_to_one(std::max(max_abs(t[1] - t[0]), max_abs(t[2] - t[0])));
  return to_unit(cross(scale * (t[1] - t[0]), scale * (t[2] - t[0])));
}

}  // namespace snug::geometry
