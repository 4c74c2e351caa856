#pragma once

#include <snug/vec.hpp>

#include <algorithm>
#include <cmath>

namespace snug::scenes::brep {

inline constexpr double k_pi = 3.14159265358979323846;

[[nodiscard]] inline double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[nodiscard]] inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline double length(const Vec3& a) { return std::sqrt(dot(a, a)); }
[[nodiscard]] inline Vec3 unit(const Vec3& a) { return (1 / length(a)) * a; }

[[nodiscard]] inline double chord_sag(double radius, double chord) {
  const double half = chord / 2;
  return radius - std::sqrt(std::max(0.0, radius * radius - half * half));
}
/// Sags are upper bounds: above what rounding may have taken off.
[[nodiscard]] inline double upward(double sag) { return sag * (1 + 1e-9) + 1e-12; }

/// Of a torus or a ball drawn over a grid of its angles, du about the axis at a distance of at most `reach`, dv about the
/// tube: linear interpolation errs by at most (du^2 |S_uu| + 2 du dv |S_uv| + dv^2 |S_vv|) / 8.
[[nodiscard]] inline double curved_sag(double reach, double minor, double du, double dv) {
  return upward((du * du * reach + 2 * du * dv * minor + dv * dv * minor) / 8);
}

/// Between the axis and a line that gains dr on dz, in radians.
[[nodiscard]] inline double half_angle(double dr, double dz) {
  // An arc tangent of the same bits everywhere: halve the angle until the series converges at once.
  double t = std::fabs(dr) / std::fabs(dz);
  double factor = 1;
  while (t > 0.1) {
    t = t / (1 + std::sqrt(1 + t * t));
    factor *= 2;
  }
  const double t2 = t * t;
  double sum = 0;
  for (int k = 12; k >= 0; --k) sum = 1.0 / (2 * k + 1) - t2 * sum;
  return factor * t * sum;
}

}  // namespace snug::scenes::brep
