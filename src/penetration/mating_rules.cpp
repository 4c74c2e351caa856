#include "penetration/mating_rules.hpp"

#include "geometry/analytic/deviation.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"
#include "support/trig.hpp"

#include <array>
#include <tuple>

namespace snug::penetration {

namespace {

/// Between lines, so at most a right angle.
double acute_angle(Vec3 a, Vec3 b) noexcept { return angle_of(std::abs(dot(a, b)), length_of(cross(a, b))); }

bool has_axis(SurfaceKind kind) noexcept {
  SNUG_ASSERT(is_analytic(kind));
  return kind == SurfaceKind::cylinder || kind == SurfaceKind::cone || kind == SurfaceKind::torus;
}

struct Face {
  SurfaceKind kind;
  const AnalyticSurface& s;

  /// How far along the axis p is, from the origin.
  [[nodiscard]] double height(const Point3& p) const noexcept { return dot(p - s.origin, s.axis); }
  /// Radius of a cylinder, or of a cone level with p.
  [[nodiscard]] double radius_at(const Point3& p) const noexcept {
    if (kind != SurfaceKind::cone) return s.radius;
    return s.radius + height(p) * (sine(s.half_angle) / cosine(s.half_angle));
  }
};

class Rules {
 public:
  Rules(Face a, Face b, const MatingTolerance& tolerance) noexcept : a_(a), b_(b), tolerance_(tolerance) {}

  SurfaceMating run() noexcept {
    SNUG_ASSERT(a_.kind <= b_.kind);
    if (b_.kind == SurfaceKind::plane)
      planes();
    else if (a_.kind == SurfaceKind::plane)
      plane_and_round();
    else if (a_.kind == SurfaceKind::sphere && b_.kind == SurfaceKind::sphere)
      spheres();
    else if (a_.kind == SurfaceKind::sphere || b_.kind == SurfaceKind::sphere)
      a_.kind == SurfaceKind::sphere ? sphere_and_axis(a_, b_) : sphere_and_axis(b_, a_);
    else
      axes();
    return out_;
  }

 private:
  [[nodiscard]] bool same(double difference) const noexcept { return std::abs(difference) <= tolerance_.length; }
  [[nodiscard]] bool parallel(double angle) const noexcept { return angle <= tolerance_.angle; }

  void planes() noexcept {
    SNUG_ASSERT(a_.kind == SurfaceKind::plane);
    const double height_a = a_.height(tolerance_.place), height_b = b_.height(tolerance_.place);
    const bool facing = dot(a_.s.axis, b_.s.axis) < 0;
    out_.angle = acute_angle(a_.s.axis, b_.s.axis);
    out_.offset = parallel(out_.angle) ? std::abs(facing ? height_a + height_b : height_a - height_b) : 0;
    if (!parallel(out_.angle)) return;
    if (facing && out_.offset <= std::max(tolerance_.reach, tolerance_.length)) out_.mating = Mating::planar_mate;
    if (!facing && same(out_.offset)) out_.mating = Mating::planar_align;
  }

  void plane_and_round() noexcept {
    const Vec3 n = a_.s.axis;
    const AnalyticSurface& round = b_.s;
    const double slant = has_axis(b_.kind) ? k_pi / 2 - acute_angle(n, round.axis) : 0;  // of the axis, from the plane
    const double centre = std::abs(a_.height(round.origin));
    switch (b_.kind) {
      case SurfaceKind::cylinder: {
        const Point3 on_axis = round.origin + b_.height(tolerance_.place) * round.axis;
        out_.angle = slant;
        out_.offset = std::abs(std::abs(a_.height(on_axis)) - round.radius);
        break;
      }
      case SurfaceKind::cone: {
        // A line of the cone lies in the plane: the axis is as steep as the cone is wide, and the apex is in the plane.
        const Point3 apex =
            round.origin - (round.radius * cosine(round.half_angle) / sine(round.half_angle)) * round.axis;
        out_.angle = std::abs(slant - round.half_angle);
        out_.offset = std::abs(a_.height(apex));
        break;
      }
      case SurfaceKind::sphere:
        out_.offset = std::abs(centre - round.radius);
        break;
      default: {
        const double wide = round.radius * length_of(cross(n, round.axis));
        out_.offset = std::min(std::abs(centre - (wide + round.minor_radius)),
                               std::abs(centre - std::abs(wide - round.minor_radius)));
        break;
      }
    }
    if (parallel(out_.angle) && same(out_.offset)) out_.mating = Mating::tangent;
  }

  void spheres() noexcept {
    SNUG_ASSERT(a_.kind == SurfaceKind::sphere && b_.kind == SurfaceKind::sphere);
    out_.radius_difference = std::abs(a_.s.radius - b_.s.radius);
    out_.offset = length_of(a_.s.origin - b_.s.origin);
    note_fit(a_.s.radius, b_.s.radius, out_.offset);
    if (same(out_.offset))
      out_.mating = same(*out_.radius_difference) ? Mating::coincident : Mating::concentric;
    else
      try_tangent(std::min(std::abs(out_.offset - (a_.s.radius + b_.s.radius)),
                           std::abs(out_.offset - *out_.radius_difference)));
  }

  void sphere_and_axis(const Face& sphere, const Face& other) noexcept {
    SNUG_ASSERT(sphere.kind == SurfaceKind::sphere && has_axis(other.kind));
    const Vec3 v = sphere.s.origin - other.s.origin;
    // A torus has a centre, too, and a ball that shares its axis alone is beside it.
    const bool torus = other.kind == SurfaceKind::torus;
    out_.offset = torus ? length_of(v) : length_of(v - dot(v, other.s.axis) * other.s.axis);
    if (other.kind == SurfaceKind::cylinder) {
      out_.radius_difference = std::abs(sphere.s.radius - other.s.radius);
      note_fit(a_.s.radius, b_.s.radius, out_.offset);
    }
    if (same(out_.offset))
      out_.mating = Mating::concentric;
    else
      try_tangent(std::abs(std::abs(distance_to(other.kind, other.s, sphere.s.origin)) - sphere.s.radius));
  }

  void axes() noexcept {
    SNUG_ASSERT(has_axis(a_.kind) && has_axis(b_.kind));
    const Point3 &place = tolerance_.place, on_a = a_.s.origin + a_.height(place) * a_.s.axis,
                 on_b = b_.s.origin + b_.height(place) * b_.s.axis;
    const Vec3 apart = on_b - on_a;
    const bool opposite = dot(a_.s.axis, b_.s.axis) < 0;
    out_.angle = acute_angle(a_.s.axis, b_.s.axis);
    out_.offset = length_of(apart - dot(apart, a_.s.axis) * a_.s.axis);
    const bool common_axis = parallel(out_.angle) && same(out_.offset);
    bool equal = false;
    if (a_.kind == b_.kind && a_.kind == SurfaceKind::torus) {
      const double major = std::abs(a_.s.radius - b_.s.radius), minor = std::abs(a_.s.minor_radius - b_.s.minor_radius);
      const bool level = same(dot(b_.s.origin - a_.s.origin, a_.s.axis));
      out_.radius_difference = std::max(major, minor);
      if (common_axis && level && same(major)) note_fit(a_.s.minor_radius, b_.s.minor_radius, 0);
      equal = level && same(*out_.radius_difference);
    } else if (a_.kind == b_.kind) {
      const double radius_a = a_.radius_at(place), radius_b = b_.radius_at(place);
      const bool cones = a_.kind == SurfaceKind::cone;
      const bool same_slope = !cones || (parallel(std::abs(a_.s.half_angle - b_.s.half_angle)) && !opposite);
      out_.radius_difference = std::abs(radius_a - radius_b);
      if (parallel(out_.angle) && same_slope) note_fit(radius_a, radius_b, out_.offset);
      // Cones are as far apart as their radii differ, seen along the normal.
      equal = same_slope && same(*out_.radius_difference * (cones ? cosine(a_.s.half_angle) : 1));
    }
    if (common_axis) {
      out_.mating = equal ? Mating::coincident : Mating::concentric;
      return;
    }
    if (b_.kind != SurfaceKind::cylinder) return;
    const double outside = std::abs(axis_distance() - (a_.s.radius + b_.s.radius));
    const double inside = std::abs(out_.offset - *out_.radius_difference);
    try_tangent(parallel(out_.angle) ? std::min(outside, inside) : outside);
  }

  /// Of the whole lines: parallel ones where the faces are, others where they pass.
  [[nodiscard]] double axis_distance() const noexcept {
    if (parallel(out_.angle)) return out_.offset;
    const Vec3 across = cross(a_.s.axis, b_.s.axis);
    return std::abs(dot(b_.s.origin - a_.s.origin, across)) / length_of(across);
  }

  void try_tangent(double from_tangency) noexcept {
    if (!same(from_tangency)) return;
    out_.mating = Mating::tangent;
    out_.offset = from_tangency;
  }

  /// A fit is between a bore and something in it.
  void note_fit(double radius_a, double radius_b, double offset) noexcept {
    if (a_.s.hollow == b_.s.hollow) return;
    const double bore = a_.s.hollow ? radius_a : radius_b, shaft = a_.s.hollow ? radius_b : radius_a;
    if (offset < bore) out_.fit = bore - shaft;
  }

  Face a_, b_;
  const MatingTolerance& tolerance_;
  SurfaceMating out_;
};

/// One order of two surfaces, whoever comes first.
auto order_of(SurfaceKind kind, const AnalyticSurface& s) noexcept {
  return std::tuple(kind, s.origin, s.axis, s.radius, s.minor_radius, s.half_angle, s.hollow);
}

}  // namespace

MatingTolerance mating_tolerance(const Surface& a, const Surface& b, double resolution, double size,
                                 double scale) noexcept {
  MatingTolerance tolerance;
  tolerance.length = std::max(scale * (a.tolerance + b.tolerance) + resolution, 1e-6 * size);
  tolerance.angle = size > 0 ? std::clamp(tolerance.length / size, 1e-5, 0.1) : 1e-5;
  return tolerance;
}

AnalyticSurface posed(const AnalyticSurface& surface, const Pose& pose, double scale) noexcept {
  AnalyticSurface s = surface;
  s.origin = scale * pose.apply(surface.origin);
  const auto& m = pose.matrix();
  const Vec3 v = surface.axis, axis{dot({m[0], m[1], m[2]}, v), dot({m[3], m[4], m[5]}, v), dot({m[6], m[7], m[8]}, v)};
  s.axis = (1 / length_of(axis)) * axis;
  s.radius *= scale, s.minor_radius *= scale;
  return s;
}

SurfaceMating mating_of(SurfaceKind kind_a, const AnalyticSurface& a, SurfaceKind kind_b, const AnalyticSurface& b,
                        const MatingTolerance& tolerance) noexcept {
  if (!is_analytic(kind_a) || !is_analytic(kind_b)) return {};
  if (order_of(kind_b, b) < order_of(kind_a, a)) return Rules({kind_b, b}, {kind_a, a}, tolerance).run();
  return Rules({kind_a, a}, {kind_b, b}, tolerance).run();
}

SurfaceMating mating_of(const Surface& a, const Pose& pose_a, const Surface& b, const Pose& pose_b,
                        const MatingTolerance& tolerance) noexcept {
  if (!a.analytic || !b.analytic) return {};
  return mating_of(a.kind, posed(*a.analytic, pose_a), b.kind, posed(*b.analytic, pose_b), tolerance);
}

}  // namespace snug::penetration

namespace snug {

std::string_view to_string(Mating mating) noexcept {
  constexpr std::array<std::string_view, 6> words{"none",       "planar_mate", "planar_align",
                                                  "concentric", "tangent",     "coincident"};
  return words.at(static_cast<std::size_t>(mating));
}

}  // namespace snug
