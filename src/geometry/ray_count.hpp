#pragma once

#include <snug/vec.hpp>

namespace snug::detail {

/// Adds to `winding` how often the ray from p along +x, displaced infinitely little, leaves through the triangle (+1) or
/// enters (-1). False if p lies on the triangle. Exact.
[[nodiscard]] bool count_crossing(const Point3& p, const Triangle& t, int& winding) noexcept;

/// Can the ray from p along +x, or p itself, meet anything in the box? If not, count_crossing() need not be asked.
[[nodiscard]] inline bool ray_reaches(const Point3& p, const Aabb& box) noexcept {
  return box.hi.x >= p.x && box.lo.y <= p.y && p.y <= box.hi.y && box.lo.z <= p.z && p.z <= box.hi.z;
}

}  // namespace snug::detail
