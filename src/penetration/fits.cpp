#include "penetration/fits.hpp"

#include "geometry/analytic/deviation.hpp"
#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"
#include "penetration/mating_rules.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace snug::penetration {

namespace {

double distance_from_axis(const Fit& fit, const Point3& p) { return length_of(cross(p - fit.origin, fit.axis)); }

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

double least_distance_from_axis(const Fit& fit, const Point3& p, const Point3& q) {
  return least_distance_from_axis(fit, {{p, q, p}});
}

double most_distance_from_axis(const Fit& fit, const Triangle& t) {
  return std::max({distance_from_axis(fit, t[0]), distance_from_axis(fit, t[1]), distance_from_axis(fit, t[2])});
}

/// Is the surface across side i of a triangle a cylinder on the axis whose radius is in order? The border lies on it then.
template <class InOrder>
bool borders_on_axis(const Fit& fit, const PosedSolid& of, std::uint32_t t, std::size_t i, InOrder&& in_order) {
  const std::uint32_t across = of.borders().across(t, i);
  if (across == Borders::k_inner || across == Borders::k_unknown) return false;
  const double radius = radius_on_axis(fit, of, of.mesh().surfaces()[across]);
  return radius >= 0 && in_order(radius);
}

/// Largest curvature of an exact round form; none for forms that get ever tighter.
std::optional<double> curvature_of(const Surface& surface, const AnalyticSurface& form) {
  if (form.recognised) return std::nullopt;
  switch (surface.kind) {
    case SurfaceKind::cylinder:
    case SurfaceKind::sphere:
      return 1 / form.radius;
    case SurfaceKind::torus:
      if (form.radius <= form.minor_radius) return std::nullopt;
      return std::max(1 / form.minor_radius, 1 / (form.radius - form.minor_radius));
    default:
      return std::nullopt;
  }
}

/// A round face that ends at a cylinder about the fit's axis, as the wall of a cross hole does, leaves it at an angle and does
/// not come back within the radii of curvature. With f the distance from the cylinder, along the face f starts with a slope of
/// the angle's sine s, and bends by no more than the sum k of both curvatures: it keeps its sign for 2 s / k. Half of that is
/// used, and the rest of the triangle has to be further away from the cylinder than the sag.
class TrimmedFace {
 public:
  /// `radius` is that of the cylinder, `own` the face on it.
  TrimmedFace(const Fit& fit, const PosedSolid& of, std::uint32_t t, std::uint32_t own, double radius)
      : fit_(fit),
        of_(of),
        t_(t),
        own_(own),
        radius_(radius),
        slack_(fit.slack + of.sag().tolerance(of.mesh().surface_of(t))),
        corner_(of.body().triangle(t)) {}

  /// `clear(rest)` tells whether a triangle is further away than the sag, on the side that is asked for.
  template <class Clear>
  [[nodiscard]] bool leaves(Clear&& clear) const {
    const std::uint32_t id = of_.mesh().surface_of(t_);
    const Surface& surface = of_.mesh().surfaces()[id];
    if (!surface.analytic) return false;
    const AnalyticSurface form = posed(*surface.analytic, of_.pose(), of_.scale());
    const std::optional<double> bend = curvature_of(surface, form);
    if (!bend) return false;
    const double curvature = *bend + 2 / radius_;  // towards the axis the cylinders get tighter, by no more than that
    SNUG_ASSERT(curvature > 0);
    std::array<std::size_t, 3> on{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3; ++i)
      if (std::abs(distance_from_axis(fit_, corner_[i]) - radius_) <= slack_) on[count++] = i;
    if (count == 0) return clear(corner_);
    if (count == 3) return false;
    SNUG_ASSERT(count == 1 || count == 2);
    for (std::size_t i = 0; i < count; ++i)
      if (!of_.borders().ends_at(of_.mesh().triangles()[t_][on[i]], own_)) return false;
    double slope = slope_at(surface.kind, form, corner_[on[0]]);
    if (count == 2) {
      const std::size_t first = (on[0] + 1) % 3 == on[1] ? on[0] : on[1];
      const auto same = [&](double r) { return std::abs(r - radius_) <= slack_; };
      if (!borders_on_axis(fit_, of_, t_, first, same)) return false;
      slope = least_slope(surface.kind, form, corner_[on[0]], corner_[on[1]], curvature) - curvature * of_.sag().of(id);
    }
    const double kept = slope / curvature - 2 * of_.sag().of(id);
    return kept > 0 && clear_beyond(kept, std::span(on.data(), count), clear);
  }

 private:
  /// Sine of the angle between the face and the cylinder.
  [[nodiscard]] double slope_at(SurfaceKind kind, const AnalyticSurface& form, const Point3& p) const {
    const Vec3 d = p - fit_.origin, out = d - dot(d, fit_.axis) * fit_.axis;
    return length_of(cross(normal_at(kind, form, p), (1 / length_of(out)) * out));
  }

  /// The least along a side, whose points are as far from the border as the sag says. Between two that are looked at the angle
  /// changes by no more than the curvatures allow; a side too long for its curvature is given up.
  [[nodiscard]] double least_slope(SurfaceKind kind, const AnalyticSurface& form, const Point3& p, const Point3& q,
                                   double curvature) const {
    constexpr double k_change = 0.1;  // of the slope from one point to the next
    constexpr double k_most = 1000;
    const double steps = std::ceil(curvature * length_of(q - p) / k_change);
    if (!(steps <= k_most)) return 0;
    double least = 1;
    for (double i = 0; i <= steps; ++i)
      least = std::min(least, slope_at(kind, form, p + (steps > 0 ? i / steps : 0) * (q - p)));
    return least - 0.5 * k_change;
  }

  /// The triangle but for what lies within `kept` of the corners that are on the cylinder, or of the side between them.
  template <class Clear>
  [[nodiscard]] bool clear_beyond(double kept, std::span<const std::size_t> on, Clear&& clear) const {
    SNUG_ASSERT(kept > 0 && (on.size() == 1 || on.size() == 2));
    if (on.size() == 1) {
      const Point3 &v = corner_[on[0]], &p = corner_[(on[0] + 1) % 3], &q = corner_[(on[0] + 2) % 3];
      const double share = std::min(1.0, kept / std::max(length_of(p - v), length_of(q - v)));
      const Point3 from_p = v + share * (p - v), from_q = v + share * (q - v);
      return clear(Triangle{{from_p, p, q}}) && clear(Triangle{{from_p, q, from_q}});
    }
    const std::size_t apex = 3 - on[0] - on[1];
    const Point3 &v = corner_[on[0]], &w = corner_[on[1]], &top = corner_[apex];
    const double share = std::min(1.0, kept / std::max(length_of(top - v), length_of(top - w)));
    return clear(Triangle{{v + share * (top - v), w + share * (top - w), top}});
  }

  const Fit& fit_;
  const PosedSolid& of_;
  std::uint32_t t_, own_;
  double radius_, slack_;
  Triangle corner_;
};

/// Does a round face across side i leave the cylinder? Its border does, then.
template <class Clear>
bool border_leaves(const Fit& fit, const PosedSolid& of, std::uint32_t t, std::size_t i, std::uint32_t own,
                   double radius, Clear&& clear) {
  const std::uint32_t surface = of.borders().across(t, i);
  if (surface == Borders::k_inner || surface == Borders::k_unknown || of.sag().flat(surface)) return false;
  return TrimmedFace(fit, of, of.borders().triangle_across(t, i), own, radius).leaves([&](const Triangle& rest) {
    return clear(rest, of.sag().of(surface));
  });
}

bool stays_within(const Fit& fit, const PosedSolid& of, std::uint32_t t, std::uint32_t own) {
  const std::uint32_t id = of.mesh().surface_of(t);
  if (id == own) return true;
  const double slack = fit.slack + of.sag().tolerance(id), limit = fit.shaft + slack;
  const auto in_order = [&](double radius) { return radius <= limit; };
  const Surface& surface = of.mesh().surfaces()[id];
  if (const double radius = radius_on_axis(fit, of, surface); radius >= 0) return in_order(radius);
  const Triangle c = of.body().triangle(t);
  const double sag = of.sag().of(id);
  // Nothing of a triangle is further from the axis than its corners.
  if (!of.sag().refinable(id)) return most_distance_from_axis(fit, c) <= limit;
  const auto inside = [&](const Triangle& rest, double off) {
    return most_distance_from_axis(fit, rest) <= fit.shaft - off;
  };
  if (!of.sag().flat(id))
    return TrimmedFace(fit, of, t, own, fit.shaft).leaves([&](const Triangle& rest) { return inside(rest, sag); });
  if (most_distance_from_axis(fit, c) > limit) return false;
  // A curved border that lies within the pin, or on it, bounds with its chord what lies within the pin.
  for (std::size_t i = 0; i < 3; ++i)
    if (of.borders().may_curve(t, i) && !borders_on_axis(fit, of, t, i, in_order) &&
        !inside({{c[i], c[(i + 1) % 3], c[i]}}, sag) && !border_leaves(fit, of, t, i, own, fit.shaft, inside))
      return false;
  return true;
}

bool stays_outside(const Fit& fit, const PosedSolid& of, std::uint32_t t, std::uint32_t own) {
  const std::uint32_t id = of.mesh().surface_of(t);
  if (id == own) return true;
  const double slack = fit.slack + of.sag().tolerance(id), limit = fit.bore - slack;
  const auto in_order = [&](double radius) { return radius >= limit; };
  const Surface& surface = of.mesh().surfaces()[id];
  if (const double radius = radius_on_axis(fit, of, surface); radius >= 0) return in_order(radius);
  const Triangle c = of.body().triangle(t);
  const double sag = of.sag().of(id);
  if (!of.sag().refinable(id)) return least_distance_from_axis(fit, c) >= limit;
  const auto outside = [&](const Triangle& rest, double off) {
    return least_distance_from_axis(fit, rest) >= fit.bore + off;
  };
  if (!of.sag().flat(id))
    return TrimmedFace(fit, of, t, own, fit.bore).leaves([&](const Triangle& rest) { return outside(rest, sag); });
  // Chords of the bore's rim cut into it, and triangles beside them do, by no more than the sag: the face ends at the rim. The
  // bottom of a blind hole ends there, too, but on the inside.
  if (least_distance_from_axis(fit, c) < limit - sag ||
      std::ranges::any_of(c.corner, [&](const Point3& p) { return distance_from_axis(fit, p) < limit; }))
    return false;
  for (std::size_t i = 0; i < 3; ++i) {
    if (of.borders().across(t, i) == Borders::k_inner || borders_on_axis(fit, of, t, i, in_order)) continue;
    const bool curved = of.borders().may_curve(t, i);
    if (!curved && least_distance_from_axis(fit, c[i], c[(i + 1) % 3]) < limit) return false;
    if (curved && !outside({{c[i], c[(i + 1) % 3], c[i]}}, sag) &&
        !border_leaves(fit, of, t, i, own, fit.bore, outside))
      return false;
  }
  return true;
}

/// How far a face that is within the pin, or outside of the bore, may be past the radius. What the two themselves may be off is
/// in the fit's own bound.
double past_limit(const Fit& fit, const PosedSolid& of, std::uint32_t t, std::uint32_t own) {
  const std::uint32_t id = of.mesh().surface_of(t);
  return id == own ? 0 : fit.slack + of.sag().tolerance(id);
}

}  // namespace

Fits::Fits(std::span<const SurfaceMating> matings, const PosedSolid& a, const PosedSolid& b) {
  for (const SurfaceMating& mating : matings) {
    add_fit(mating, a, b);
    add_plane(mating, a, b);
  }
}

void Fits::add_fit(const SurfaceMating& mating, const PosedSolid& a, const PosedSolid& b) {
  const Surface &of_a = a.mesh().surfaces()[mating.surface_a], &of_b = b.mesh().surfaces()[mating.surface_b];
  const bool known = mating.mating == Mating::concentric || mating.mating == Mating::coincident;
  if (!known || !mating.fit || of_a.kind != SurfaceKind::cylinder || of_b.kind != SurfaceKind::cylinder) return;
  SNUG_ASSERT(of_a.analytic && of_b.analytic);
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
  SNUG_ASSERT(fits_.back().least <= fits_.back().most);
}

void Fits::add_plane(const SurfaceMating& mating, const PosedSolid& a, const PosedSolid& b) {
  if (mating.mating != Mating::tangent) return;
  const auto is_exact_plane = [](const Surface& surface) {
    return surface.kind == SurfaceKind::plane && !surface.analytic->recognised;
  };
  const Surface &of_a = a.mesh().surfaces()[mating.surface_a], &of_b = b.mesh().surfaces()[mating.surface_b];
  SNUG_ASSERT(of_a.analytic && of_b.analytic);
  const bool plane_is_a = is_exact_plane(of_a);
  if (!plane_is_a && !is_exact_plane(of_b)) return;
  const PosedSolid& owner = plane_is_a ? a : b;
  const AnalyticSurface plane = posed(plane_is_a ? *of_a.analytic : *of_b.analytic, owner.pose(), owner.scale());
  const double tolerance = a.scale() * (of_a.tolerance + of_b.tolerance) + 4 * (a.error() + b.error());
  planes_.push_back({plane.origin, plane.axis, plane_is_a, tolerance});
}

double Fits::most() const noexcept {
  double most = std::numeric_limits<double>::infinity();
  for (const Fit& fit : fits_) most = std::min(most, fit.most);
  return most;
}

std::optional<Fit> Fits::between(const PosedSolid& a, std::uint32_t triangle_a, const PosedSolid& b,
                                 std::uint32_t triangle_b) const {
  std::optional<Fit> best;
  for (const Fit& fit : fits_) {
    const double least =
        fit.least - past_limit(fit, a, triangle_a, fit.surface_a) - past_limit(fit, b, triangle_b, fit.surface_b);
    if (best && least <= best->least) continue;
    const bool divides =
        fit.shaft_is_a
            ? stays_within(fit, a, triangle_a, fit.surface_a) && stays_outside(fit, b, triangle_b, fit.surface_b)
            : stays_within(fit, b, triangle_b, fit.surface_b) && stays_outside(fit, a, triangle_a, fit.surface_a);
    if (!divides) continue;
    best = fit;
    best->least = least;
  }
  return best;
}

}  // namespace snug::penetration
