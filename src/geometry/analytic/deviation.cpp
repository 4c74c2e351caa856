#include "geometry/analytic/deviation.hpp"

#include "geometry/analytic/meridian.hpp"
#include "geometry/point_triangle.hpp"
#include "support/trig.hpp"

#include <array>
#include <limits>
#include <queue>

namespace snug::geometry {

namespace {

/// The signed distance to a convex body is convex, so it is largest at a corner.
double largest_at_corners(SurfaceKind kind, const AnalyticSurface& s, const Triangle& t) noexcept {
  double largest = 0;
  for (const Point3& p : t.corner) largest = std::max(largest, std::abs(distance_to(kind, s, p)));
  return largest;
}

double sphere_deviation(const AnalyticSurface& s, const Triangle& t) noexcept {
  const Vec3 nearest = closest_point(s.origin, t) - s.origin;
  return std::max(largest_at_corners(SurfaceKind::sphere, s, t), s.radius - std::sqrt(dot(nearest, nearest)));
}

/// A triangle seen along the axis, with the height of its corners.
struct Projected {
  std::array<double, 3> x, y, z;

  Projected(const AnalyticSurface& s, const Triangle& t) noexcept {
    const Vec3 right = square_to(s.axis), up = cross(s.axis, right);
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 v = t[i] - s.origin;
      x[i] = dot(v, right), y[i] = dot(v, up), z[i] = dot(v, s.axis);
    }
  }
  /// Twice the signed area of the axis and the edge from corner i.
  [[nodiscard]] double turn(std::size_t i) const noexcept {
    const std::size_t j = (i + 1) % 3;
    return x[i] * y[j] - x[j] * y[i];
  }
};

/// Smallest value of cos * rho - sin * z on a triangle. In the triangle's plane it is a multiple of the distance from the
/// axis less a linear function: where there is no kink, on the axis, nothing inside is less than all of the border.
double lowest_height(const Projected& t, double sin, double cos) noexcept {
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const double dx = t.x[j] - t.x[i], dy = t.y[j] - t.y[i], dz = t.z[j] - t.z[i];
    const auto height = [&](double at) {
      const double x = t.x[i] + at * dx, y = t.y[i] + at * dy;
      return cos * std::sqrt(x * x + y * y) - sin * (t.z[i] + at * dz);
    };
    lowest = std::min({lowest, height(0), height(1)});
    const double length2 = dx * dx + dy * dy;
    if (!(length2 > 0)) continue;
    const double length = std::sqrt(length2), slope = sin * dz / (cos * length);
    if (!(std::abs(slope) < 1)) continue;
    // Closest to the axis, and from there as far as the slope carries.
    const double closest = -(t.x[i] * dx + t.y[i] * dy) / length2;
    const double miss = std::abs(t.turn(i)) / length;
    const double at = closest + slope * miss / (length * std::sqrt(1 - slope * slope));
    lowest = std::min(lowest, height(std::clamp(at, 0.0, 1.0)));
  }
  const double area = t.turn(0) + t.turn(1) + t.turn(2);
  const bool pierced = area != 0 && t.turn(0) * area >= 0 && t.turn(1) * area >= 0 && t.turn(2) * area >= 0;
  if (pierced) {
    const double on_axis = (t.turn(1) * t.z[0] + t.turn(2) * t.z[1] + t.turn(0) * t.z[2]) / area;
    lowest = std::min(lowest, -sin * on_axis);
  }
  return lowest;
}

double cone_deviation(SurfaceKind kind, const AnalyticSurface& s, const Triangle& t) noexcept {
  const bool cone = kind == SurfaceKind::cone;
  const double sin = cone ? sine(s.half_angle) : 0, cos = cone ? cosine(s.half_angle) : 1;
  const double lowest = lowest_height(Projected(s, t), sin, cos) - cos * s.radius;
  return std::max(largest_at_corners(kind, s, t), -lowest);
}

/// The distance from a torus is neither convex nor concave: triangles are quartered, worst first, until the bound is near
/// a value that is reached.
class TorusDeviation {
 public:
  TorusDeviation(const AnalyticSurface& s, const Triangle& t) : s_(s) {
    double extent = s.radius + s.minor_radius;
    for (const Point3& p : t.corner) extent = std::max(extent, max_abs(p - s.origin));
    rounding_ = 1e-12 * extent;
    offer(t);
  }

  double run() {
    constexpr int k_most_steps = 4000;
    for (int step = 0; step < k_most_steps && !cells_.empty(); ++step) {
      const Cell worst = cells_.top();
      if (near_enough(worst.bound)) break;
      cells_.pop();
      const Triangle& t = worst.triangle;
      const Point3 m0 = lerp(t[1], t[2], 0.5), m1 = lerp(t[2], t[0], 0.5), m2 = lerp(t[0], t[1], 0.5);
      for (const Triangle& quarter :
           {Triangle{{t[0], m2, m1}}, Triangle{{m2, t[1], m0}}, Triangle{{m1, m0, t[2]}}, Triangle{{m0, m1, m2}}})
        offer(quarter);
    }
    return std::max({reached_, settled_, cells_.empty() ? 0.0 : cells_.top().bound});
  }

 private:
  struct Cell {
    double bound = 0;
    Triangle triangle;
    bool operator<(const Cell& other) const noexcept { return bound < other.bound; }
  };

  [[nodiscard]] bool near_enough(double bound) const noexcept { return !(bound > 1.01 * reached_ + rounding_); }

  void offer(const Triangle& t) {
    for (const Point3& p : {t[0], t[1], t[2], middle_of(t)})
      reached_ = std::max(reached_, std::abs(distance_to(SurfaceKind::torus, s_, p)));
    double bound = bound_of(t, s_.radius);
    if (s_.minor_radius > s_.radius) bound = std::min(bound, bound_of(t, -s_.radius));
    if (near_enough(bound))
      settled_ = std::max(settled_, bound);
    else
      cells_.push({bound, t});
  }

  /// Bound on the distance from the circles of the tube around `centre` from the axis: what the slope of one allows from
  /// the middle, or, clear of the axis and of the tube's own circle, the values at the corners and what the second
  /// derivatives add between them: at most a sixth of the longest edge squared, times their bound.
  [[nodiscard]] double bound_of(const Triangle& t, double centre) const noexcept {
    const auto tube_distance = [&](const Meridian& m) {
      return std::sqrt((m.rho - centre) * (m.rho - centre) + m.z * m.z);
    };
    const Point3 middle = middle_of(t);
    double reach = 0, longest2 = 0, lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 spoke = t[i] - middle, edge = t[(i + 1) % 3] - t[i];
      reach = std::max(reach, std::sqrt(dot(spoke, spoke)));
      longest2 = std::max(longest2, dot(edge, edge));
      const double at_corner = tube_distance(meridian_of(s_, t[i])) - s_.minor_radius;
      lowest = std::min(lowest, at_corner), highest = std::max(highest, at_corner);
    }
    const Meridian m = meridian_of(s_, middle);
    const double from_tube = tube_distance(m);
    const double height = from_tube - s_.minor_radius;
    const double by_slope = std::max(height + reach, std::min(reach - height, s_.minor_radius));
    const double rho = m.rho - reach, tube = from_tube - reach;
    if (!(rho > 0) || !(tube > 0)) return by_slope;
    // Around the tube the distance bends by 1 / tube; around the axis by (rho - centre) / (rho * tube).
    const double up = centre > 0 ? 1 / tube : std::max(1 / tube, 1 / rho);
    const double down = centre > rho ? std::min(1 / rho, (centre - rho) / (rho * tube)) : 0;
    const double above = highest + down * longest2 / 6;
    const double below = std::min(up * longest2 / 6 - lowest, s_.minor_radius);
    return std::min(by_slope, std::max({above, below, 0.0}));
  }

  const AnalyticSurface& s_;
  double rounding_ = 0;
  double reached_ = 0;  ///< largest distance seen
  double settled_ = 0;  ///< largest bound of what was put aside as near enough
  std::priority_queue<Cell> cells_;
};

}  // namespace

double deviation(SurfaceKind kind, const AnalyticSurface& surface, const Triangle& t) {
  switch (kind) {
    case SurfaceKind::plane:
      return largest_at_corners(kind, surface, t);
    case SurfaceKind::cylinder:
    case SurfaceKind::cone:
      return cone_deviation(kind, surface, t);
    case SurfaceKind::sphere:
      return sphere_deviation(surface, t);
    case SurfaceKind::torus:
      return TorusDeviation(surface, t).run();
    case SurfaceKind::unknown:
    case SurfaceKind::spline:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace snug::geometry
