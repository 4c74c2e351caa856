#include <snug/analytic.hpp>
#include <snug/vec.hpp>

#include <cmath>
#include <numbers>

namespace snug {

bool is_valid(SurfaceKind kind, const AnalyticSurface& s) noexcept {
  constexpr double k_unit = 1e-9;  // of a length of one
  for (const double c : {s.origin.x, s.origin.y, s.origin.z, s.radius, s.minor_radius, s.half_angle})
    if (!std::isfinite(c) || std::abs(c) > k_max_coordinate) return false;
  const double length = std::sqrt(s.axis.x * s.axis.x + s.axis.y * s.axis.y + s.axis.z * s.axis.z);
  if (!(std::abs(length - 1) <= k_unit)) return false;
  switch (kind) {
    case SurfaceKind::plane:
      return true;
    case SurfaceKind::cylinder:
    case SurfaceKind::sphere:
      return s.radius > 0;
    case SurfaceKind::cone:
      return s.radius >= 0 && s.half_angle > 0 && s.half_angle < std::numbers::pi / 2;
    case SurfaceKind::torus:
      return s.radius > 0 && s.minor_radius > 0;
    case SurfaceKind::unknown:
    case SurfaceKind::spline:
      break;
  }
  return false;
}

}  // namespace snug
