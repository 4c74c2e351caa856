#pragma once

#include "geometry/vec_ops.hpp"
#include "support/rooms.hpp"

#include <snug/analytic.hpp>

namespace snug::geometry {

/// A point seen from the axis of a surface of revolution.
struct Meridian {
  double z = 0;    ///< along the axis, from the origin
  double rho = 0;  ///< from the axis
  Vec3 outward;    ///< unit, away from the axis; on the axis some direction square to it
};

/// Some unit vector square to a unit vector.
inline Vec3 square_to(Vec3 axis) noexcept {
  const Vec3 least = std::abs(axis.x) <= std::abs(axis.y) && std::abs(axis.x) <= std::abs(axis.z) ? Vec3{1, 0, 0}
                     : std::abs(axis.y) <= std::abs(axis.z)                                       ? Vec3{0, 1, 0}
                                                                                                  : Vec3{0, 0, 1};
  const Vec3 side = cross(axis, least);
  return (1 / std::sqrt(dot(side, side))) * side;
}

inline Meridian meridian_of(const AnalyticSurface& s, const Point3& p) noexcept {
  const Vec3 v = p - s.origin;
  const double z = dot(v, s.axis);
  const Vec3 radial = v - z * s.axis;
  const double rho = std::sqrt(dot(radial, radial));
  return {z, rho, rho > 0 ? (1 / rho) * radial : square_to(s.axis)};
}

}  // namespace snug::geometry
