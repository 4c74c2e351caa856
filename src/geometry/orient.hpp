#pragma once

#include "geometry/exact_sign.hpp"
#include "support/rooms.hpp"

#include <snug/predicates.hpp>
#include <snug/vec.hpp>

#include <cmath>

// Filters: the sign of a determinant in plain doubles, taken when it exceeds a bound on its rounding error.

namespace snug::geometry {

inline constexpr double k_unit_roundoff = 0x1p-53;
/// Shewchuk (1997) shows |error| <= (7u + 56u^2) * permanent for a 3x3 determinant of differences, (3u + 16u^2) for
/// 2x2, the permanent being computed in doubles as well; the next whole multiples leave room for the terms below.
inline constexpr double k_det3_error = 8 * k_unit_roundoff;
inline constexpr double k_det2_error = 4 * k_unit_roundoff;
/// Products that underflow lose up to 2^-1075 each, times one more factor. 2^-900 covers that with a wide margin and
/// keeps the bound itself out of the slow range of subnormal numbers. Overflow gives infinity or NaN in the bound, and
/// the comparison then fails, as it should.
inline constexpr double k_underflow = 0x1p-900;

/// +1 or -1 when certain, 0 when the filter cannot tell. Without branches: neither sign nor doubt can be predicted.
inline int filtered_sign(double value, double error) noexcept {
  return static_cast<int>(value > error) - static_cast<int>(-value > error);
}

/// Two edge vectors of a plane and their cross product, ready to ask for the side of many points.
struct PlaneFilter {
  Vec3 normal;     ///< u x v, rounded
  Vec3 magnitude;  ///< the same with every term taken positive: bounds the rounding of `normal`

  PlaneFilter(Vec3 u, Vec3 v) noexcept {
    const double yz = u.y * v.z, zy = u.z * v.y;
    const double zx = u.z * v.x, xz = u.x * v.z;
    const double xy = u.x * v.y, yx = u.y * v.x;
    normal = {yz - zy, zx - xz, xy - yx};
    magnitude = {std::abs(yz) + std::abs(zy), std::abs(zx) + std::abs(xz), std::abs(xy) + std::abs(yx)};
  }

  /// Sign of det(u, v, w), or 0 when unsure.
  [[nodiscard]] int side(Vec3 w) const noexcept {
    const double ax = std::abs(w.x), ay = std::abs(w.y), az = std::abs(w.z);
    const double det = (normal.x * w.x + normal.y * w.y) + normal.z * w.z;
    const double permanent = (magnitude.x * ax + magnitude.y * ay) + magnitude.z * az;
    return filtered_sign(det, k_det3_error * permanent + k_underflow * ((ax + ay) + (az + 1)));
  }
};

/// Corners and faces that coincide are the rule where parts are mated: four points of which two are the same, or which lie
/// in one plane of two axes, need no arithmetic.
inline bool plainly_coplanar(const Point3& a, const Point3& b, const Point3& c, const Point3& d) noexcept {
  const auto level = [&](double Point3::* axis) {
    return (a.*axis == b.*axis) & (a.*axis == c.*axis) & (a.*axis == d.*axis);
  };
  return d == a || d == b || d == c || level(&Point3::x) || level(&Point3::y) || level(&Point3::z);
}

/// The sign where the filter cannot tell.
inline int unsure_side_of_plane(const Point3& a, const Point3& b, const Point3& c, const Point3& d) noexcept {
  return plainly_coplanar(a, b, c, d) ? 0 : exact_side_of_plane(a, b, c, d);
}

/// Sign of det(b-a, c-a, d-a): +1 if d lies on the side from which a, b, c turn counter-clockwise.
inline int side_of_plane(const Point3& a, const Point3& b, const Point3& c, const Point3& d) noexcept {
  const int sign = PlaneFilter(b - a, c - a).side(d - a);
  return sign != 0 ? sign : unsure_side_of_plane(a, b, c, d);
}

/// The coordinates left when one axis is dropped, in the order that keeps the plane right-handed.
inline Point2 drop_axis(const Point3& p, int axis) noexcept {
  if (axis == 0) return {p.y, p.z};
  if (axis == 1) return {p.z, p.x};
  return {p.x, p.y};
}

inline int orient2d_dropping(int axis, const Point3& a, const Point3& b, const Point3& c) noexcept {
  return orient2d(drop_axis(a, axis), drop_axis(b, axis), drop_axis(c, axis));
}

/// An axis along which the triangle's projection keeps its area, so that projecting its plane is one-to-one;
/// k_no_axis for degenerate triangles.
inline constexpr int k_no_axis = -1;
[[nodiscard]] int projection_axis(const Triangle& t) noexcept;

}  // namespace snug::geometry
