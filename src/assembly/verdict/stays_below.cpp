#include "assembly/verdict/stays_below.hpp"

#include "geometry/vec_ops.hpp"
#include "penetration/mating_rules.hpp"

#include <algorithm>
#include <cmath>

namespace snug::assembly {

namespace {

constexpr double k_parallel = 1 - 1e-9, k_square = 1e-9;

/// Is the border between a round face that stands upright on a plane and the surface across it level, or as upright?
/// Surfaces on one axis share circles, a plane across the axis cuts one, and a plane along the axis cuts a line.
bool keeps_borders_simple(const PosedSolid& of, const AnalyticSurface& s, std::uint32_t across, double slack) {
  if (across == Borders::k_unknown) return false;
  const Surface& surface = of.mesh().surfaces()[across];
  if (!surface.analytic || surface.analytic->recognised) return false;
  const AnalyticSurface other = posed(*surface.analytic, of.pose(), of.scale());
  const double along = std::abs(dot(other.axis, s.axis));
  const Vec3 away = other.origin - s.origin;
  const bool on_axis = length_of(away - dot(away, s.axis) * s.axis) <= slack;
  switch (surface.kind) {
    case SurfaceKind::plane:
      return along >= k_parallel || along <= k_square;
    case SurfaceKind::sphere:
      return on_axis;
    case SurfaceKind::cylinder:
      return along >= k_parallel;
    case SurfaceKind::cone:
    case SurfaceKind::torus:
      return along >= k_parallel && on_axis;
    case SurfaceKind::unknown:
    case SurfaceKind::spline:
      break;
  }
  return false;
}

}  // namespace

bool stays_below(const PosedSolid& of, std::uint32_t t, const Point3& p, const Vec3& n, double slack) {
  const std::uint32_t id = of.mesh().surface_of(t);
  const Surface& surface = of.mesh().surfaces()[id];
  const bool exact = !of.sag().refinable(id);
  const auto at_most = [&](double limit) { return [&, limit](const Point3& c) { return dot(c - p, n) <= limit; }; };
  const Triangle corner = of.body().triangle(t);
  const bool corners = std::ranges::all_of(corner.corner, at_most(slack));
  if (!corners || exact) return corners;
  /// Is every side of the triangle that `counts` further below than the sag?
  const auto sides_below = [&](auto&& counts) {
    const auto low = at_most(slack - of.sag().of(id));
    for (std::size_t i = 0; i < 3; ++i)
      if (counts(i) && !(low(corner[i]) && low(corner[(i + 1) % 3]))) return false;
    return true;
  };
  // Between its curved borders a flat face is where its triangles are.
  if (of.sag().flat(id) && sides_below([&](std::size_t i) { return of.borders().may_curve(t, i); })) return true;
  if (!surface.analytic) return false;
  const AnalyticSurface s = posed(*surface.analytic, of.pose(), of.scale());
  const double height = dot(s.origin - p, n), along = std::abs(dot(s.axis, n));
  const bool upright = along >= k_parallel;
  // An upright face is as high as its borders are.
  const auto borders_below = [&] {
    return sides_below([&](std::size_t i) {
      const std::uint32_t across = of.borders().across(t, i);
      return across != Borders::k_inner && !keeps_borders_simple(of, s, across, slack);
    });
  };
  switch (surface.kind) {
    case SurfaceKind::plane:
      return upright;  // level, it is exact
    case SurfaceKind::cylinder:
      // Lying, its highest line tells.
      return (upright && borders_below()) || height + s.radius * std::sqrt(std::max(0.0, 1 - along * along)) <= slack;
    case SurfaceKind::cone:
      return upright && borders_below();
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

}  // namespace snug::assembly
