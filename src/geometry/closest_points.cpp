#include "geometry/closest_points.hpp"
#include "geometry/double_double.hpp"
#include "geometry/vec_ops.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

// The smallest distance of two disjoint triangles is reached between two edges or between a corner and a face. All
// fifteen candidates are tried, first in doubles; where the gap is so small beside the triangles that doubles would
// lose digits, again in double-double. Coordinates are taken relative to a corner and scaled to size one first.

namespace snug {

namespace {

using namespace detail;

template <class Real>
struct Vec {
  Real x{}, y{}, z{};
  friend Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec operator*(Real s, const Vec& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend Real inner(const Vec& a, const Vec& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
  friend Vec outer(const Vec& a, const Vec& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
};

template <class Real>
Real clamped(Real t) {
  return t < Real(0) ? Real(0) : t > Real(1) ? Real(1) : t;
}

template <class Real>
struct Best {
  Real squared;
  Vec<Real> on_a, on_b;
  bool found = false;

  void offer(const Vec<Real>& p, const Vec<Real>& q) {
    const Vec<Real> d = p - q;
    const Real d2 = inner(d, d);
    if (found && !(d2 < squared)) return;
    squared = d2, on_a = p, on_b = q, found = true;
  }
};

template <class Real>
using Corners = std::array<Vec<Real>, 3>;

/// Point of the segment from–to closest to p.
template <class Real>
Vec<Real> closest_on_segment(const Vec<Real>& p, const Vec<Real>& from, const Vec<Real>& to) {
  const Vec<Real> d = to - from;
  const Real length2 = inner(d, d);
  if (!(length2 > Real(0))) return from;
  const Real t = clamped(inner(p - from, d) / length2);
  return t > Real(0.5) ? to - (Real(1) - t) * d : from + t * d;
}

template <class Real>
void offer_edges(Best<Real>& best, const Vec<Real>& p0, const Vec<Real>& p1, const Vec<Real>& q0, const Vec<Real>& q1) {
  const Vec<Real> u = p1 - p0, v = q1 - q0, w = p0 - q0;
  // Inner points of both lines. The normal form of the denominator does not cancel for nearly parallel edges, and
  // where it vanishes an end of one edge does as well.
  const Vec<Real> n = outer(u, v);
  const Real n2 = inner(n, n);
  if (n2 > Real(0)) {
    const Real s = -(inner(outer(w, v), n) / n2);
    const Real t = -(inner(outer(w, u), n) / n2);
    if (s > Real(0) && s < Real(1) && t > Real(0) && t < Real(1)) best.offer(p0 + s * u, q0 + t * v);
  }
  best.offer(p0, closest_on_segment(p0, q0, q1));
  best.offer(closest_on_segment(q0, p0, p1), q0);
}

/// Normal of a triangle, or nothing to rely on when it is too thin for the arithmetic at hand.
template <class Real>
struct Face {
  Vec<Real> normal;
  Real squared_length{};
  double squared_sine = 0;  ///< of the angle between the two longest edges: how far the triangle is from a line

  explicit Face(const Corners<Real>& t) {
    // From the shortest edge's opposite corner: the two longest edges give the best conditioned product.
    std::size_t apex = 0;
    Real shortest = inner(t[2] - t[1], t[2] - t[1]);
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
      const Vec<Real> opposite = t[(i + 2) % 3] - t[(i + 1) % 3];
      if (const Real l2 = inner(opposite, opposite); l2 < shortest) shortest = l2, apex = i;
    }
    const Vec<Real> u = t[(apex + 1) % 3] - t[apex], v = t[(apex + 2) % 3] - t[apex];
    const Real u2 = inner(u, u), v2 = inner(v, v);
    if (!(u2 > Real(0)) || !(v2 > Real(0))) return;
    normal = outer(u, v);
    // The product's rounding error may tilt a thin triangle's normal along its length, where that hurts most.
    normal = normal - (inner(normal, u) / u2) * u;
    squared_length = inner(normal, normal);
    squared_sine = static_cast<double>(squared_length / u2 / v2);
  }
};

template <class Real>
bool projects_inside(const Vec<Real>& p, const Corners<Real>& t, const Vec<Real>& n) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec<Real>& from = t[i];
    const Vec<Real>& to = t[(i + 1) % 3];
    if (inner(outer(to - from, p - from), n) < Real(0)) return false;
  }
  return true;
}

/// Thinner than this even double-double cannot tell which way the triangle faces; its edges say all there is.
constexpr double k_thinnest_squared_sine = 1e-50;

template <class Real>
Best<Real> closest(const Corners<Real>& a, const Face<Real>& face_a, const Corners<Real>& b, const Face<Real>& face_b) {
  Best<Real> best;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) offer_edges(best, a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]);
  const auto foot = [](const Vec<Real>& p, const Corners<Real>& t, const Face<Real>& f) {
    return p - (inner(p - t[0], f.normal) / f.squared_length) * f.normal;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    if (face_b.squared_sine > k_thinnest_squared_sine && projects_inside(a[i], b, face_b.normal))
      best.offer(a[i], foot(a[i], b, face_b));
    if (face_a.squared_sine > k_thinnest_squared_sine && projects_inside(b[i], a, face_a.normal))
      best.offer(foot(b[i], a, face_a), b[i]);
  }
  return best;
}

/// Relative to `origin`, times `scale`. Exact in double-double.
template <class Real>
Corners<Real> localised(const Triangle& t, const Point3& origin, double scale) {
  const auto local = [&](double to, double from) -> Real {
    const DoubleDouble d = scaled_difference(to, from, scale);
    if constexpr (std::is_same_v<Real, double>)
      return d.hi;
    else
      return d;
  };
  Corners<Real> c;
  for (std::size_t i = 0; i < 3; ++i)
    c[i] = {local(t[i].x, origin.x), local(t[i].y, origin.y), local(t[i].z, origin.z)};
  return c;
}

template <class Real>
ClosestPoints globalised(const Best<Real>& best, const Point3& origin, double scale) {
  const auto global = [&](const Vec<Real>& v) {
    return Point3{origin.x + static_cast<double>(v.x) / scale, origin.y + static_cast<double>(v.y) / scale,
                  origin.z + static_cast<double>(v.z) / scale};
  };
  return {std::sqrt(static_cast<double>(best.squared)) / scale, global(best.on_a), global(best.on_b)};
}

double unit_scale(const Triangle& a, const Triangle& b) noexcept {
  double half_extent = 0;  // halves: the difference of two huge coordinates must not overflow
  for (const Triangle* t : {&a, &b})
    for (const Point3& p : t->corner) half_extent = std::max(half_extent, max_abs(0.5 * p - 0.5 * a[0]));
  return 0.5 * scale_to_one(half_extent);
}

ClosestPoints precise_closest_points(const Triangle& a, const Triangle& b) noexcept {
  const Point3& origin = a[0];
  const double scale = unit_scale(a, b);
  const auto local_a = localised<DoubleDouble>(a, origin, scale), local_b = localised<DoubleDouble>(b, origin, scale);
  ClosestPoints result =
      globalised(closest(local_a, Face<DoubleDouble>(local_a), local_b, Face<DoubleDouble>(local_b)), origin, scale);
  // Disjoint is an exact fact; a gap too small even for double-double must not read as contact.
  result.distance = std::max(result.distance, std::numeric_limits<double>::denorm_min());
  return result;
}

ClosestPoints closest_points_of_disjoint(const Triangle& a, const Triangle& b) noexcept {
  const Point3& origin = a[0];
  const double scale = unit_scale(a, b);

  // In doubles everything carries an absolute error of some 1e-15 of the unit size. Beside gaps above 1/16 and for
  // triangles that are not needles that is well below 1e-12; the rest is worth the slower arithmetic.
  constexpr double k_small_gap_squared = 0x1p-8;
  constexpr double k_needle_squared_sine = 0x1p-12;
  {
    const auto local_a = localised<double>(a, origin, scale), local_b = localised<double>(b, origin, scale);
    const Face<double> face_a(local_a), face_b(local_b);
    if (face_a.squared_sine > k_needle_squared_sine && face_b.squared_sine > k_needle_squared_sine) {
      const auto best = closest(local_a, face_a, local_b, face_b);
      if (best.squared > k_small_gap_squared) return globalised(best, origin, scale);
    }
  }
  return precise_closest_points(a, b);
}

/// In one order of triangles and corners, whatever the caller's: rounding must not show it.
template <class Compute>
ClosestPoints in_one_order(const Triangle& a, const Triangle& b, Compute&& compute) {
  const Triangle sorted_a = sorted_corners(a), sorted_b = sorted_corners(b);
  if (sorted_a.corner <= sorted_b.corner) return compute(sorted_a, sorted_b);
  ClosestPoints result = compute(sorted_b, sorted_a);
  std::swap(result.on_a, result.on_b);
  return result;
}

}  // namespace

ClosestPoints closest_points(const Triangle& a, const Triangle& b) noexcept {
  const TriangleIntersection shared = intersection(a, b);
  if (shared.relation != Relation::disjoint) return {0, shared.corner[0], shared.corner[0]};
  return in_one_order(a, b, closest_points_of_disjoint);
}

double detail::precise_distance(const Triangle& a, const Triangle& b) noexcept {
  if (relation(a, b) != Relation::disjoint) return 0;
  return in_one_order(a, b, precise_closest_points).distance;
}

}  // namespace snug
