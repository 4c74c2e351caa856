#include "geometry/closest_points.hpp"
#include "geometry/box_gap.hpp"
#include "geometry/double_double.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

// The smallest distance of two disjoint triangles is reached between two edges or between a corner and a face. All
// fifteen candidates are tried in doubles. Where the gap is so small beside the triangles that doubles would lose digits, those
// that may be the smallest are computed again in double-double. Coordinates are taken relative to a corner and scaled to size
// one first.

namespace snug {

namespace {

using namespace geometry;

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
  bool needle = false;  ///< one of the faces looked at is one

  Real offer(const Vec<Real>& p, const Vec<Real>& q) {
    const Vec<Real> d = p - q;
    const Real d2 = inner(d, d);
    if (!found || d2 < squared) squared = d2, on_a = p, on_b = q, found = true;
    return d2;
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

/// Ways to be closest. For each edge of a with each of b: inside both edges, from the first end of a's to b's, from the first
/// end of b's to a's. Then from each corner of a to the face of b and from each of b to the face of a.
constexpr unsigned k_edge_ways = 27, k_ways = 33;
using Ways = std::uint64_t;
constexpr Ways k_all_ways = (Ways{1} << k_ways) - 1;

/// How near the end of an edge, or the border of a face, doubles cannot be trusted to tell inside from outside; and how nearly
/// parallel edges may be, by the squared sine, before doubles lose the place where they are closest.
constexpr double k_border = 0x1p-20;

/// Where the lines of two edges are closest. The normal form of the denominator does not cancel for nearly parallel edges, and
/// where it vanishes an end of one edge does as well.
template <class Real>
struct InnerPoints {
  Vec<Real> on_p, on_q;
  bool inside = false, doubtful = false;  ///< within both edges; near their ends, or nearly parallel

  InnerPoints(const Vec<Real>& p0, const Vec<Real>& p1, const Vec<Real>& q0, const Vec<Real>& q1) {
    const Vec<Real> u = p1 - p0, v = q1 - q0, w = p0 - q0, n = outer(u, v);
    const Real n2 = inner(n, n);
    if constexpr (std::is_same_v<Real, double>) doubtful = !(n2 > k_border * (inner(u, u) * inner(v, v)));
    if (!(n2 > Real(0))) return;
    const Real s = -(inner(outer(w, v), n) / n2), t = -(inner(outer(w, u), n) / n2);
    inside = s > Real(0) && s < Real(1) && t > Real(0) && t < Real(1);
    if constexpr (std::is_same_v<Real, double>) {
      const double outside = std::max(std::abs(s - 0.5), std::abs(t - 0.5)) - 0.5;
      doubtful = doubtful || std::abs(outside) < k_border;
    }
    if (inside) on_p = p0 + s * u, on_q = q0 + t * v;
  }
};

/// Times a power of two.
template <class Real>
Vec<Real> scaled(const Vec<Real>& v, double power) {
  const auto times = [power](const Real& x) -> Real {
    if constexpr (std::is_same_v<Real, double>)
      return power * x;
    else
      return {power * x.hi, power * x.lo};
  };
  return {times(v.x), times(v.y), times(v.z)};
}

template <class Real>
double largest_coordinate(const Vec<Real>& v) {
  return max_abs({static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)});
}

/// Normal of a triangle, or nothing to rely on when it is too thin for the arithmetic at hand.
template <class Real>
struct Face {
  Corners<Real>
      edge;  ///< from each corner to the next; made larger where the triangle is so small that products would underflow
  Vec<Real> normal;
  Real squared_length{};
  double squared_sine = 0;  ///< of the angle between the two longest edges: how far the triangle is from a line

  explicit Face(const Corners<Real>& t) : edge{t[1] - t[0], t[2] - t[1], t[0] - t[2]} {
    const double extent = std::max(largest_coordinate(edge[0]), largest_coordinate(edge[2]));
    if (extent < k_small) [[unlikely]]
      for (Vec<Real>& e : edge) e = scaled(e, scale_to_one(extent));
    // From the shortest edge's opposite corner: the two longest edges give the best conditioned product.
    std::size_t apex = 0;
    Real shortest = inner(edge[1], edge[1]);
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
      const Vec<Real>& opposite = edge[(i + 1) % 3];
      if (const Real l2 = inner(opposite, opposite); l2 < shortest) shortest = l2, apex = i;
    }
    const Vec<Real>&u = edge[apex], &back = edge[(apex + 2) % 3], v{-back.x, -back.y, -back.z};
    const Real u2 = inner(u, u), v2 = inner(v, v);
    if (!(u2 > Real(0)) || !(v2 > Real(0))) return;
    normal = outer(u, v);
    // The product's rounding error may tilt a thin triangle's normal along its length, where that hurts most.
    normal = normal - (inner(normal, u) / u2) * u;
    squared_length = inner(normal, normal);
    squared_sine = static_cast<double>(squared_length / u2 / v2);
  }

 private:
  static constexpr double k_small = 0x1p-100;
};

/// How far inside the face a corner's foot is, by the border it is nearest to, as the sine of an angle; negative outside.
template <class Real>
Real inside_by(const Vec<Real>& p, const Corners<Real>& t, const Face<Real>& face) {
  const Vec<Real>& n = face.normal;
  Real least(0);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec<Real>& edge = face.edge[i];
    const Vec<Real> to = p - t[i];
    Real height = inner(outer(edge, to), n);
    // Signs are enough for those who compute again. Near a corner angles are rounding; what counts there is how far the edge is.
    if constexpr (std::is_same_v<Real, double>) {
      const double lengths2 = inner(edge, edge) * std::max(inner(to, to), 0x1p-56) * inner(n, n);
      height = lengths2 > 0 ? height / std::sqrt(lengths2) : 0;
    }
    if (i == 0 || height < least) least = height;
  }
  return least;
}

/// Thinner than this even double-double cannot tell which way the triangle faces; its edges say all there is.
constexpr double k_thinnest_squared_sine = 1e-50;
/// In doubles everything carries an absolute error of some 1e-15 of the unit size. Beside gaps above 1/16 and for triangles
/// that are not needles that is well below 1e-12; the rest is worth the slower arithmetic.
constexpr double k_small_gap_squared = 0x1p-8;
constexpr double k_needle_squared_sine = 0x1p-12;

/// Tries the ways asked for. visit(way, squared distance, doubtful) is told of each.
template <class Real, class Visit>
Best<Real> closest(const Corners<Real>& a, const Corners<Real>& b, Ways ways, Visit&& visit) {
  Best<Real> best;
  const auto offer = [&](unsigned way, const Vec<Real>& p, const Vec<Real>& q, bool doubtful) {
    visit(way, best.offer(p, q), doubtful);
  };
  const auto asked = [&](unsigned way) { return (ways >> way & 1) != 0; };
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned j = 0; j < 3; ++j) {
      const unsigned way = 3 * (3 * i + j);
      if ((ways >> way & 7) == 0) continue;
      const Vec<Real>&p0 = a[i], &p1 = a[(i + 1) % 3], &q0 = b[j], &q1 = b[(j + 1) % 3];
      if (asked(way)) {
        const InnerPoints<Real> points(p0, p1, q0, q1);
        if (points.inside)
          offer(way, points.on_p, points.on_q, points.doubtful);
        else if (points.doubtful)
          visit(way, Real(0), true);
      }
      if (asked(way + 1)) offer(way + 1, p0, closest_on_segment(p0, q0, q1), false);
      if (asked(way + 2)) offer(way + 2, closest_on_segment(q0, p0, p1), q0, false);
    }
  const auto to_face = [&](unsigned first_way, const Corners<Real>& from, const Corners<Real>& to, bool of_a) {
    if ((ways >> first_way & 7) == 0) return;
    const Face<Real> face(to);
    const bool needle = !(face.squared_sine > k_needle_squared_sine);
    best.needle = best.needle || needle;
    for (unsigned i = 0; i < 3; ++i) {
      const unsigned way = first_way + i;
      if (!asked(way)) continue;
      const Real inside = face.squared_sine > k_thinnest_squared_sine ? inside_by(from[i], to, face) : Real(-1);
      bool doubtful = false;
      if constexpr (std::is_same_v<Real, double>) doubtful = needle || std::abs(inside) < k_border;
      if (inside >= Real(0)) {
        const Vec<Real> foot = from[i] - (inner(from[i] - to[0], face.normal) / face.squared_length) * face.normal;
        of_a ? offer(way, from[i], foot, doubtful) : offer(way, foot, from[i], doubtful);
      } else if (doubtful) {
        visit(way, Real(0), true);
      }
    }
  };
  to_face(k_edge_ways, a, b, true);
  to_face(k_edge_ways + 3, b, a, false);
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
Approach globalised(const Best<Real>& best, const Point3& origin, double scale) {
  const auto global = [&](const Vec<Real>& v) {
    return Point3{origin.x + static_cast<double>(v.x) / scale, origin.y + static_cast<double>(v.y) / scale,
                  origin.z + static_cast<double>(v.z) / scale};
  };
  SNUG_ASSERT(best.found && scale > 0);
  Vec<Real> d = best.on_b - best.on_a;
  double length = std::sqrt(static_cast<double>(best.squared)), up = 1;
  if (length < 0x1p-400) [[unlikely]] {  // squares have lost digits, or all
    up = scale_to_one(largest_coordinate(d));
    d = scaled(d, up);
    length = std::sqrt(static_cast<double>(inner(d, d)));
  }
  Vec3 direction;
  if (length > 0)
    direction = {static_cast<double>(d.x) / length, static_cast<double>(d.y) / length,
                 static_cast<double>(d.z) / length};
  return {.points = {length / up / scale, global(best.on_a), global(best.on_b)}, .direction = direction};
}

double unit_scale(const Triangle& a, const Triangle& b) noexcept {
  double half_extent = 0;  // halves: the difference of two huge coordinates must not overflow
  for (const Triangle* t : {&a, &b})
    for (const Point3& p : t->corner) half_extent = std::max(half_extent, max_abs(0.5 * p - 0.5 * a[0]));
  return 0.5 * scale_to_one(half_extent);
}

double shortest_edge_squared(const Corners<double>& t) noexcept {
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec<double> edge = t[(i + 1) % 3] - t[i];
    shortest = std::min(shortest, inner(edge, edge));
  }
  return shortest;
}

/// Two triangles as doubles see them.
struct Survey {
  Point3 origin;
  double scale;
  Best<double> best;
  Ways smallest = 0;  ///< those that may be the closest way
  double gap = 0;     ///< if positive, the triangles are at least so far apart; scaled

  Survey(const Triangle& a, const Triangle& b) : origin(a[0]), scale(unit_scale(a, b)) {
    const auto local_a = localised<double>(a, origin, scale), local_b = localised<double>(b, origin, scale);
    std::array<double, k_ways> squared;
    squared.fill(std::numeric_limits<double>::infinity());
    best = closest(local_a, local_b, k_all_ways,
                   [&](unsigned way, double d2, bool doubtful) { squared[way] = doubtful ? 0 : d2; });
    // Beside edges this short the borders above are too narrow; otherwise errors are below 2^-40.
    const double shortest = std::min(shortest_edge_squared(local_a), shortest_edge_squared(local_b));
    const double length = std::sqrt(best.squared), limit = length + 0x1p-36;
    for (unsigned way = 0; way < k_ways; ++way)
      if (shortest < 0x1p-30 || squared[way] <= limit * limit) smallest |= Ways{1} << way;
    // Any direction gives a bound.
    const Vec<double> along = best.on_b - best.on_a;
    double end_a = -std::numeric_limits<double>::infinity(), end_b = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 3; ++i)
      end_a = std::max(end_a, inner(along, local_a[i])), end_b = std::min(end_b, inner(along, local_b[i]));
    gap = length > 0 ? (end_b - end_a) / length - 0x1p-45 : 0;
  }

  [[nodiscard]] bool in_doubles() const noexcept { return !best.needle && best.squared > k_small_gap_squared; }
};

Approach precise_approach(const Triangle& a, const Triangle& b, const Survey& survey) noexcept {
  SNUG_ASSERT(survey.smallest != 0);
  const auto local_a = localised<DoubleDouble>(a, survey.origin, survey.scale),
             local_b = localised<DoubleDouble>(b, survey.origin, survey.scale);
  Approach result = globalised(closest(local_a, local_b, survey.smallest, [](unsigned, const DoubleDouble&, bool) {}),
                               survey.origin, survey.scale);
  // Disjoint is an exact fact; a gap too small even for double-double must not read as contact, nor as one that boxes refute.
  const double by_boxes = gap_below(box_of(a), box_of(b));
  result.points.distance = std::max({result.points.distance, by_boxes, std::numeric_limits<double>::denorm_min()});
  return result;
}

/// Calls compute(a, b) in one order of triangles and corners, whatever the caller's: rounding must not show it.
template <class Compute>
auto in_one_order(const Triangle& a, const Triangle& b, Compute&& compute) {
  const Triangle sorted_a = sorted_corners(a), sorted_b = sorted_corners(b);
  if (sorted_a.corner <= sorted_b.corner) return compute(sorted_a, sorted_b, false);
  return compute(sorted_b, sorted_a, true);
}

}  // namespace

Approach geometry::approach(const Triangle& a, const Triangle& b, double reach) noexcept {
  return in_one_order(a, b, [&](const Triangle& first, const Triangle& second, bool exchanged) -> Approach {
    const Survey survey(first, second);
    if (!(survey.gap > 0)) {
      const TriangleIntersection shared = intersection(a, b);
      if (shared.relation != Relation::disjoint)
        return {.points = {0, shared.corner[0], shared.corner[0]}, .direction = {}};
    }
    const bool beyond = survey.gap > reach * survey.scale;
    Approach result = beyond || survey.in_doubles() ? globalised(survey.best, survey.origin, survey.scale)
                                                    : precise_approach(first, second, survey);
    result.beyond = beyond;
    if (exchanged) {
      std::swap(result.points.on_a, result.points.on_b);
      result.direction = -result.direction;
    }
    return result;
  });
}

ClosestPoints closest_points(const Triangle& a, const Triangle& b) noexcept {
  if (!geometry::are_finite(a, b)) [[unlikely]] {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {-std::numeric_limits<double>::infinity(), {nan, nan, nan}, {nan, nan, nan}};
  }
  return geometry::approach(a, b, std::numeric_limits<double>::infinity()).points;
}

double geometry::precise_distance(const Triangle& a, const Triangle& b) noexcept {
  if (relation(a, b) != Relation::disjoint) return 0;
  return in_one_order(a, b, [](const Triangle& first, const Triangle& second, bool) {
    return precise_approach(first, second, Survey(first, second)).points.distance;
  });
}

double geometry::gap_along(const Vec3& direction, const Triangle& a, const Triangle& b) noexcept {
  const auto along = [&](const Point3& p) { return dot(direction, p - a[0]); };
  const double a1 = along(a[1]), a2 = along(a[2]), b0 = along(b[0]), b1 = along(b[1]), b2 = along(b[2]);
  const double gap = std::max(std::min(std::min(b0, b1), b2) - std::max(std::max(a1, a2), 0.0),
                              std::min(std::min(a1, a2), 0.0) - std::max(std::max(b0, b1), b2));
  if (!(gap > 0)) return 0;
  double lengths = 0;
  for (const Point3& p : {a[1], a[2], b[0], b[1], b[2]}) lengths = std::max(lengths, max_abs(p - a[0]));
  // A difference, a product and two sums: each end is wrong by less than 4 units of 2^-53 of |p - a[0]|, which is at most 1.74
  // lengths; where products underflow, by another few of the smallest doubles. The direction's length is good to 2^-49. No more
  // is taken off, since what is as close as the best should be seen to be so.
  return std::max(gap * (1 - 0x1p-48) - (0x1p-49 * lengths + 0x1p-1070), 0.0);
}

}  // namespace snug
