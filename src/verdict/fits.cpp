#include "verdict/fits.hpp"

#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"
#include "verdict/mating_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::detail {

namespace {

double distance_from_axis(const Fit& fit, const Point3& p) { return length_of(cross(p - fit.origin, fit.axis)); }

bool is_across(const Fit& fit, const Triangle& t) {
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  return std::abs(dot(n, fit.axis)) >= (1 - 1e-9) * length_of(n);
}

/// Smallest distance of a triangle from the axis: of its shadow along the axis from a point.
double least_distance_from_axis(const Fit& fit, const Triangle& t) {
  const auto shadow = [&](const Point3& p) { return (p - fit.origin) - dot(p - fit.origin, fit.axis) * fit.axis; };
  const Triangle flat{{shadow(t[0]), shadow(t[1]), shadow(t[2])}};
  double least = length_of(closest_point({}, flat));
  // Seen edge-on the shadow is a line.
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 side = flat[(i + 1) % 3] - flat[i];
    const double length2 = dot(side, side),
                 along = length2 > 0 ? std::clamp(-dot(flat[i], side) / length2, 0.0, 1.0) : 0;
    least = std::min(least, length_of(flat[i] + along * side));
  }
  return least;
}

/// A cylinder on the fit's axis: its radius, otherwise a negative number.
double radius_on_axis(const Fit& fit, const PosedSolid& of, const Surface& surface) {
  if (surface.kind != SurfaceKind::cylinder || !surface.analytic) return -1;
  const AnalyticSurface s = posed(*surface.analytic, of.pose(), of.scale());
  const double length = length_of(of.body().bounds().hi - of.body().bounds().lo);
  const double off = distance_from_axis(fit, s.origin) + length * length_of(cross(s.axis, fit.axis));
  return off <= fit.slack ? s.radius : -1;
}

/// Does a flat face across the axis, of which t is a triangle, keep to one side of a circle about it? Each corner is on the
/// circle, where the face's true border runs, or further away from it than the border may be off.
template <class Beyond>
bool corners_keep(const Fit& fit, const Triangle& t, double circle, Beyond&& beyond) {
  return std::ranges::all_of(t.corner, [&](const Point3& p) {
    const double radius = distance_from_axis(fit, p);
    return std::abs(radius - circle) <= fit.slack || beyond(radius);
  });
}

bool stays_within(const Fit& fit, const PosedSolid& of, std::uint32_t t, std::uint32_t own) {
  const std::uint32_t id = of.mesh().surface_of(t);
  if (id == own) return true;
  const Surface& surface = of.mesh().surfaces()[id];
  if (const double radius = radius_on_axis(fit, of, surface); radius >= 0) return radius <= fit.shaft + fit.slack;
  const Triangle c = of.body().triangle(t);
  const double sag = of.sag().of(id);
  if (!of.sag().refinable(id))  // exact, and nothing of a triangle is further from the axis than its corners
    return std::ranges::all_of(c.corner,
                               [&](const Point3& p) { return distance_from_axis(fit, p) <= fit.shaft + fit.slack; });
  return of.sag().flat(id) && is_across(fit, c) &&
         corners_keep(fit, c, fit.shaft, [&](double radius) { return radius <= fit.shaft - sag; });
}

bool stays_outside(const Fit& fit, const PosedSolid& of, std::uint32_t t, std::uint32_t own) {
  const std::uint32_t id = of.mesh().surface_of(t);
  if (id == own) return true;
  const Surface& surface = of.mesh().surfaces()[id];
  if (const double radius = radius_on_axis(fit, of, surface); radius >= 0) return radius >= fit.bore - fit.slack;
  const Triangle c = of.body().triangle(t);
  const double sag = of.sag().of(id);
  if (!of.sag().refinable(id)) return least_distance_from_axis(fit, c) >= fit.bore - fit.slack;
  if (!of.sag().flat(id) || !is_across(fit, c)) return false;
  // The bottom of a blind hole ends at the bore too, but on the inside: only chords of its border may cut the corner.
  return least_distance_from_axis(fit, c) >= fit.bore - sag - fit.slack &&
         corners_keep(fit, c, fit.bore, [&](double radius) { return radius >= fit.bore + sag; });
}

}  // namespace

Fits::Fits(std::span<const SurfaceMating> matings, const PosedSolid& a, const PosedSolid& b) {
  for (const SurfaceMating& mating : matings) {
    const Surface &of_a = a.mesh().surfaces()[mating.surface_a], &of_b = b.mesh().surfaces()[mating.surface_b];
    const bool known = mating.mating == Mating::concentric || mating.mating == Mating::coincident;
    if (!known || !mating.fit || of_a.kind != SurfaceKind::cylinder || of_b.kind != SurfaceKind::cylinder) continue;
    const AnalyticSurface in_a = posed(*of_a.analytic, a.pose(), a.scale()),
                          in_b = posed(*of_b.analytic, b.pose(), b.scale());
    const bool shaft_is_a = in_b.hollow;
    const AnalyticSurface &bore = shaft_is_a ? in_b : in_a, &shaft = shaft_is_a ? in_a : in_b;
    const double size = std::max(length_of(a.body().bounds().hi - a.body().bounds().lo),
                                 length_of(b.body().bounds().hi - b.body().bounds().lo));
    const double tolerance = a.scale() * (of_a.tolerance + of_b.tolerance) + 4 * (a.error() + b.error());
    const double off = mating.offset + mating.angle * size, play = bore.radius - shaft.radius;
    fits_.push_back({.surface_a = mating.surface_a,
                     .surface_b = mating.surface_b,
                     .shaft_is_a = shaft_is_a,
                     .origin = bore.origin,
                     .axis = bore.axis,
                     .shaft = shaft.radius,
                     .bore = bore.radius,
                     .slack = off + tolerance,
                     .least = play - off - tolerance,
                     .most = play + off + tolerance,
                     .meant = std::abs(play) + off <= tolerance});
  }
}

double Fits::most() const noexcept {
  double most = std::numeric_limits<double>::infinity();
  for (const Fit& fit : fits_) most = std::min(most, fit.most);
  return most;
}

const Fit* Fits::between(const PosedSolid& a, std::uint32_t triangle_a, const PosedSolid& b,
                         std::uint32_t triangle_b) const {
  const Fit* best = nullptr;
  for (const Fit& fit : fits_) {
    if (best != nullptr && fit.least <= best->least) continue;
    const bool divides =
        fit.shaft_is_a
            ? stays_within(fit, a, triangle_a, fit.surface_a) && stays_outside(fit, b, triangle_b, fit.surface_b)
            : stays_within(fit, b, triangle_b, fit.surface_b) && stays_outside(fit, a, triangle_a, fit.surface_a);
    if (divides) best = &fit;
  }
  return best;
}

}  // namespace snug::detail
