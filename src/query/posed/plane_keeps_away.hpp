#pragma once

#include "geometry/vec_ops.hpp"
#include "support/rooms.hpp"

#include <limits>

namespace snug::query {

/// True if the plane of t alone keeps u further away than `reach`. Cheap; saves most exact distances, since the boxes of
/// slanted triangles overlap long before the triangles do.
inline bool plane_keeps_away(const Triangle& t, const Triangle& u, double reach) noexcept {
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  const double squared = dot(n, n);
  if (!(squared > 0x1p-900) || !std::isfinite(squared)) return false;  // underflow may have cost it digits
  const double length = std::sqrt(squared);
  double extent = std::max(max_abs(t[1] - t[0]), max_abs(t[2] - t[0]));
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (const Point3& p : u.corner) {
    const Vec3 d = p - t[0];
    const double height = dot(d, n) / length;
    lowest = std::min(lowest, height), highest = std::max(highest, height);
    extent = std::max(extent, max_abs(d));
  }
  // A needle's normal is mostly rounding: it may tilt by the unit roundoff times how thin the needle is.
  const double longest = std::max(max_abs(t[1] - t[0]), max_abs(t[2] - t[0]));
  const double slack = 0x1p-46 * extent * (1 + longest * longest / length);
  return lowest > reach + slack || highest < -(reach + slack);
}

}  // namespace snug::query
