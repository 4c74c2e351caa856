#include "verdict/stays_below.hpp"

#include "geometry/vec_ops.hpp"
#include "verdict/mating_rules.hpp"

#include <algorithm>
#include <cmath>

namespace snug::detail {

bool stays_below(const PosedSolid& of, std::uint32_t t, const Point3& p, const Vec3& n, double slack) {
  const std::uint32_t id = of.mesh().surface_of(t);
  const Surface& surface = of.mesh().surfaces()[id];
  const bool exact = !of.sag().refinable(id);
  const auto at_most = [&](double limit) { return [&, limit](const Point3& c) { return dot(c - p, n) <= limit; }; };
  const Triangle corner = of.body().triangle(t);
  const bool corners = std::ranges::all_of(corner.corner, at_most(slack));
  if (!corners || exact) return corners;
  if (!surface.analytic) return false;
  const AnalyticSurface s = posed(*surface.analytic, of.pose(), of.scale());
  const double height = dot(s.origin - p, n), along = std::abs(dot(s.axis, n));
  const bool upright = along >= 1 - 1e-9;
  switch (surface.kind) {
    case SurfaceKind::plane:
      // Level, it is exact. A wall ends at the plane by an edge, which is straight, or keeps its round borders away.
      return upright || std::ranges::all_of(corner.corner, at_most(-of.sag().of(id))) ||
             std::ranges::count_if(corner.corner, at_most(-slack)) <= 1;
    case SurfaceKind::cylinder:
      // Upright, its border runs level; lying, its highest line tells.
      return upright || height + s.radius * std::sqrt(std::max(0.0, 1 - along * along)) <= slack;
    case SurfaceKind::cone:
      return upright;
    case SurfaceKind::sphere:
      return height + s.radius <= slack;
    case SurfaceKind::torus:
      return height + s.radius * std::sqrt(std::max(0.0, 1 - along * along)) + s.minor_radius <= slack;
    case SurfaceKind::unknown:
    case SurfaceKind::spline:
      break;
  }
  return false;
}

}  // namespace snug::detail
