#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <algorithm>
#include <cmath>

namespace snug::geometry {

inline double dot(Vec3 a, Vec3 b) noexcept { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
inline Vec3 cross(Vec3 a, Vec3 b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length_of(Vec3 v) noexcept { return std::sqrt(dot(v, v)); }
inline double max_abs(Vec3 v) noexcept { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }
/// No less than the length.
inline double absolute_sum(Vec3 v) noexcept { return (std::abs(v.x) + std::abs(v.y)) + std::abs(v.z); }
/// a at t = 0 and b at t = 1, exactly.
inline Vec3 lerp(Vec3 a, Vec3 b, double t) noexcept {
  const Vec3 d = b - a;
  if (!std::isfinite((d.x + d.y) + d.z)) [[unlikely]]  // the difference of two huge coordinates
    return (1 - t) * a + t * b;
  return t < 0.5 ? a + t * d : b - (1 - t) * d;
}

/// A unit vector at right angles to another of them, always the same.
inline Vec3 any_across(Vec3 v) noexcept {
  const Vec3 size{std::abs(v.x), std::abs(v.y), std::abs(v.z)};
  const Vec3 axis = size.x <= size.y && size.x <= size.z ? Vec3{1, 0, 0}
                    : size.y <= size.z                   ? Vec3{0, 1, 0}
                                                         : Vec3{0, 0, 1};
  const Vec3 side = cross(axis, v);
  return (1 / length_of(side)) * side;
}

inline Point3 middle_of(const Aabb& box) noexcept { return 0.5 * box.lo + 0.5 * box.hi; }
inline Point3 middle_of(const Triangle& t) noexcept { return t[0] + (1.0 / 3) * ((t[1] - t[0]) + (t[2] - t[0])); }

inline Aabb box_of(const Triangle& t) noexcept {
  Aabb box;
  for (const Point3& p : t.corner) box.include(p);
  return box;
}
/// What two boxes share; empty if nothing.
inline Aabb common_box(const Aabb& a, const Aabb& b) noexcept {
  return {{std::max(a.lo.x, b.lo.x), std::max(a.lo.y, b.lo.y), std::max(a.lo.z, b.lo.z)},
          {std::min(a.hi.x, b.hi.x), std::min(a.hi.y, b.hi.y), std::min(a.hi.z, b.hi.z)}};
}

/// A power of two that brings `extent` into [0.5, 2); scaling by it is exact until digits fall off the subnormal end.
inline double scale_to_one(double extent) noexcept {
  return extent > 0 ? std::ldexp(1.0, -std::clamp(std::ilogb(extent), -1022, 1021)) : 1.0;
}

/// No coordinate of either is NaN or infinite. One sum says so in nearly all cases; it may overflow where they are huge.
inline bool are_finite(const Triangle& a, const Triangle& b) noexcept {
  const Vec3 sum = ((a[0] + a[1]) + a[2]) + ((b[0] + b[1]) + b[2]);
  const double total = (sum.x + sum.y) + sum.z;
  return total - total == 0 || (a.is_finite() && b.is_finite());
}

/// The same triangle with its corners in lexicographic order: what is computed from it does not depend on the order in
/// which they were given.
inline Triangle sorted_corners(const Triangle& t) noexcept {
  Triangle s = t;
  std::ranges::sort(s.corner);
  return s;
}

}  // namespace snug::geometry
