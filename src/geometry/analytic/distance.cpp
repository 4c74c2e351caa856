#include "geometry/analytic/deviation.hpp"
#include "geometry/analytic/meridian.hpp"
#include "support/trig.hpp"

namespace snug::geometry {

namespace {

/// Signed distance and its gradient in the half plane of a point: `outward` away from the axis, `along` it.
struct Gradient {
  double distance = 0;
  double outward = 1, along = 0;
};

Gradient from_cone(const AnalyticSurface& s, double rho, double z) noexcept {
  const double sin = sine(s.half_angle), cos = cosine(s.half_angle);
  // How far the foot lies from the apex along its line; before it the apex itself is closest.
  const double from_apex = (rho - s.radius) * sin + z * cos + s.radius / sin;
  const double height = (rho - s.radius) * cos - z * sin;
  if (from_apex >= 0) return {height, cos, -sin};
  const double below = z + s.radius * cos / sin, distance = std::sqrt(rho * rho + below * below);
  return {distance, rho / distance, below / distance};
}

Gradient from_torus(const AnalyticSurface& s, double rho, double z) noexcept {
  const auto branch = [&](double centre) -> Gradient {
    const double across = rho - centre, length = std::sqrt(across * across + z * z);
    if (!(length > 0)) return {-s.minor_radius, 1, 0};
    return {length - s.minor_radius, across / length, z / length};
  };
  const Gradient apple = branch(s.radius);
  if (s.minor_radius <= s.radius) return apple;
  const Gradient lemon = branch(-s.radius);
  return std::abs(lemon.distance) < std::abs(apple.distance) ? lemon : apple;
}

Gradient gradient_of(SurfaceKind kind, const AnalyticSurface& s, double rho, double z) noexcept {
  switch (kind) {
    case SurfaceKind::plane:
      return {z, 0, 1};
    case SurfaceKind::cylinder:
      return {rho - s.radius, 1, 0};
    case SurfaceKind::cone:
      return from_cone(s, rho, z);
    case SurfaceKind::sphere: {
      const double length = std::sqrt(rho * rho + z * z);
      if (!(length > 0)) return {-s.radius, 1, 0};
      return {length - s.radius, rho / length, z / length};
    }
    case SurfaceKind::torus:
      return from_torus(s, rho, z);
    case SurfaceKind::unknown:
    case SurfaceKind::spline:
      break;
  }
  return {};
}

}  // namespace

double distance_to(SurfaceKind kind, const AnalyticSurface& surface, const Point3& p) noexcept {
  const Meridian m = meridian_of(surface, p);
  return gradient_of(kind, surface, m.rho, m.z).distance;
}

Vec3 normal_at(SurfaceKind kind, const AnalyticSurface& surface, const Point3& p) noexcept {
  const Meridian m = meridian_of(surface, p);
  const Gradient g = gradient_of(kind, surface, m.rho, m.z);
  const Vec3 normal = g.outward * m.outward + g.along * surface.axis;
  return surface.hollow && kind != SurfaceKind::plane ? -normal : normal;
}

}  // namespace snug::geometry
