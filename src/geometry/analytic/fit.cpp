#include "geometry/analytic/fit.hpp"

#include "geometry/analytic/deviation.hpp"
#include "geometry/analytic/first_guess.hpp"
#include "geometry/analytic/meridian.hpp"
#include "geometry/analytic/refine.hpp"
#include "support/trig.hpp"

#include <limits>
#include <vector>

namespace snug::geometry {

namespace {

/// Parameters of a kind, and by how many tolerances all simpler kinds must miss before it is believed. Tori follow almost
/// any gently curved patch, so they have to explain more.
struct Ladder {
  SurfaceKind kind;
  std::size_t parameters;
  double simpler_miss_by;
};
constexpr Ladder k_ladder[] = {{SurfaceKind::plane, 3, 0},
                               {SurfaceKind::sphere, 4, 4},
                               {SurfaceKind::cylinder, 5, 4},
                               {SurfaceKind::cone, 6, 4},
                               {SurfaceKind::torus, 7, 20}};

class Fit {
 public:
  Fit(std::span<const Point3> points, std::span<const Vec3> normals, const Aabb& box, double relative_tolerance)
      : given_(points), centre_(middle_of(box)), scale_(scale_to_one(max_abs(box.hi - box.lo))) {
    points_.reserve(points.size()), normals_.reserve(points.size());
    Vec3 sum;
    for (const Point3& p : points) points_.push_back(scale_ * (p - centre_)), sum = sum + points_.back();
    // The mean, not the middle of the box: the best plane runs through it.
    const Vec3 mean = (1 / static_cast<double>(points.size())) * sum;
    for (Point3& p : points_) p = p - mean;
    centre_ = centre_ + (1 / scale_) * mean;
    for (const Vec3& n : normals) {
      const double length = std::sqrt(dot(n, n));
      normals_.push_back(length > 0 && std::isfinite(length) ? (1 / length) * n : Vec3{});
    }
    const Vec3 diagonal = scale_ * (box.hi - box.lo);
    tolerance_ = relative_tolerance * std::sqrt(dot(diagonal, diagonal));
    normal_tolerance_ = std::sqrt(relative_tolerance);
  }

  std::optional<FittedSurface> run() {
    double simpler_miss = std::numeric_limits<double>::infinity();
    for (const Ladder& step : k_ladder) {
      if (points_.size() < 2 * step.parameters && step.kind != SurfaceKind::plane) break;
      if (!(simpler_miss > step.simpler_miss_by * tolerance_)) break;
      std::optional<AnalyticSurface> surface = first_guess(step.kind, {points_, normals_});
      if (!surface && step.kind == SurfaceKind::plane) break;  // points on a line
      if (!surface) continue;
      if (step.kind != SurfaceKind::plane) surface = refined(step.kind, *surface, points_);
      surface->radius = std::abs(surface->radius);
      if (!is_valid(step.kind, *surface)) continue;
      const double miss = largest_distance(step.kind, *surface, points_);
      simpler_miss = std::min(simpler_miss, miss);
      if (!(miss <= tolerance_) || !normals_agree(step.kind, *surface)) continue;
      const FittedSurface fitted = in_place(step.kind, *surface);
      if (is_valid(fitted.kind, fitted.surface)) return fitted;
    }
    return std::nullopt;
  }

 private:
  static double largest_distance(SurfaceKind kind, const AnalyticSurface& s, std::span<const Point3> points) {
    double largest = 0;
    for (const Point3& p : points) largest = std::max(largest, std::abs(distance_to(kind, s, p)));
    return largest;
  }

  /// Sets `hollow` by the way.
  [[nodiscard]] bool normals_agree(SurfaceKind kind, AnalyticSurface& s) const {
    double facing = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) facing += dot(normals_[i], normal_at(kind, s, points_[i]));
    if (facing < 0 && kind != SurfaceKind::plane) s.hollow = true;
    std::size_t known = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (normals_[i] == Vec3{}) continue;
      ++known;
      const Vec3 off = normals_[i] - normal_at(kind, s, points_[i]);
      const double narrow = narrowness(kind, s, points_[i]);
      // Moving a point by the tolerance turns the normal by that over the radius of curvature.
      const double bound = normal_tolerance_ + (narrow > 0 ? 4 * tolerance_ / narrow : 2);
      if (!(dot(off, off) <= bound * bound)) return false;
    }
    return known > 0;
  }

  /// Smallest radius of curvature near p.
  static double narrowness(SurfaceKind kind, const AnalyticSurface& s, const Point3& p) noexcept {
    switch (kind) {
      case SurfaceKind::sphere:
        return s.radius;
      case SurfaceKind::cylinder:
      case SurfaceKind::cone:
        return meridian_of(s, p).rho;
      case SurfaceKind::torus:
        return std::min(s.minor_radius, meridian_of(s, p).rho);
      default:
        return std::numeric_limits<double>::infinity();
    }
  }

  /// Back to where the points were, with an origin level with them.
  [[nodiscard]] FittedSurface in_place(SurfaceKind kind, AnalyticSurface s) const {
    if (kind == SurfaceKind::plane) s.origin = {};
    if (kind == SurfaceKind::cylinder) s.origin = s.origin - dot(s.origin, s.axis) * s.axis;
    if (kind == SurfaceKind::cone) {
      const double down = dot(s.origin, s.axis);
      const double level = s.radius - down * (sine(s.half_angle) / cosine(s.half_angle));
      if (level > 0) s.origin = s.origin - down * s.axis, s.radius = level;
    }
    const double back = 1 / scale_;
    if (kind == SurfaceKind::plane) s.radius = 0;
    if (kind != SurfaceKind::torus) s.minor_radius = 0;
    if (kind != SurfaceKind::cone) s.half_angle = 0;
    if (kind == SurfaceKind::sphere) s.axis = {0, 0, 1};
    s.origin = centre_ + back * s.origin;
    s.radius *= back, s.minor_radius *= back;
    return {kind, s, largest_distance(kind, s, given_)};
  }

  std::span<const Point3> given_;
  Point3 centre_;
  double scale_;
  double tolerance_ = 0;         ///< scaled
  double normal_tolerance_ = 0;  ///< radians
  std::vector<Point3> points_;
  std::vector<Vec3> normals_;
};

}  // namespace

std::optional<FittedSurface> fit_analytic(std::span<const Point3> points, std::span<const Vec3> normals,
                                          double relative_tolerance) {
  if (points.size() < 3 || points.size() != normals.size() || !(relative_tolerance > 0)) return std::nullopt;
  Aabb box;
  for (const Point3& p : points) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return std::nullopt;
    box.include(p);
  }
  const double extent = max_abs(box.hi - box.lo);
  if (!(extent > 0) || !std::isfinite(extent)) return std::nullopt;
  return Fit(points, normals, box, relative_tolerance).run();
}

}  // namespace snug::geometry
