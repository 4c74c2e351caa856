#include "geometry/flat.hpp"
#include "geometry/interval.hpp"
#include "geometry/plane_height.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

// For drawing: what the triangles share is decided exactly, where it lies is rounded.

namespace snug {

namespace {

using namespace geometry;

TriangleIntersection made_of(std::initializer_list<Point3> points) noexcept {
  TriangleIntersection result{.relation = Relation::touching};
  for (const Point3& p : points) result.corner[result.count++] = p;
  return result;
}

TriangleIntersection from_segment(const Segment& s) noexcept {
  SNUG_ASSERT(s.lo <= s.hi);
  return s.is_point() ? made_of({s.lo}) : made_of({s.lo, s.hi});
}

/// The point of from–to with signed heights h_from and h_to over a plane (of opposite sign, rounded) on that plane.
Point3 at_height_zero(const Point3& from, double h_from, const Point3& to, double h_to) noexcept {
  const double span = h_from - h_to;
  const double t = span != 0 ? std::clamp(h_from / span, 0.0, 1.0) : 0.5;
  return lerp(from, to, t);
}

/// An end of the interval a triangle covers on the common line.
struct End {
  const Arranged& of;
  const Point3& other;  ///< the edge from the apex to this corner carries it
  const Triangle& plane;
  const PlaneHeight& height;

  [[nodiscard]] bool is_corner() const noexcept { return side_of_plane(plane[0], plane[1], plane[2], other) == 0; }
  /// A corner exactly on the plane is returned as it is.
  [[nodiscard]] Point3 point() const noexcept {
    return is_corner() ? other : at_height_zero(*of.apex, height(*of.apex), other, height(other));
  }
};

/// Two ends in the same place: the one that is a corner needs no rounding.
Point3 common_point(const End& a, const End& b) noexcept {
  return !a.is_corner() && b.is_corner() ? b.point() : a.point();
}

TriangleIntersection on_common_line(const Triangle& a, const Triangle& b, const std::array<int, 3>& sides_a,
                                    const std::array<int, 3>& sides_b) noexcept {
  Arranged on_a = arrange(a, sides_a);
  Arranged on_b = arrange(b, sides_b);
  const IntervalSigns signs = compare_intervals(on_a, on_b);
  if (signs.first > 0 || signs.second > 0) return {};
  if (on_a.is_point) return made_of({*on_a.apex});
  if (on_b.is_point) return made_of({*on_b.apex});

  // Along the common line a covers [r-end, q-end] and b covers [q-end, r-end].
  const PlaneHeight over_a(a, b), over_b(b, a);
  const End first_a{on_a, *on_a.r, b, over_b}, last_a{on_a, *on_a.q, b, over_b};
  const End first_b{on_b, *on_b.q, a, over_a}, last_b{on_b, *on_b.r, a, over_a};
  if (signs.first == 0) return made_of({common_point(last_a, first_b)});
  if (signs.second == 0) return made_of({common_point(first_a, last_b)});
  const auto inner_end = [](int a_is_inner, const End& of_a, const End& of_b) {
    return a_is_inner == 0 ? common_point(of_a, of_b) : a_is_inner < 0 ? of_a.point() : of_b.point();
  };
  TriangleIntersection result =
      made_of({inner_end(side_of_plane(*on_a.apex, *on_a.r, *on_b.apex, *on_b.q), first_a, first_b),
               inner_end(side_of_plane(*on_a.apex, *on_a.q, *on_b.r, *on_b.apex), last_a, last_b)});
  if (straddles(sides_a) && straddles(sides_b)) result.relation = Relation::crossing;
  return result;
}

/// How far along p–q it crosses the line from–to, all coplanar and seen with `axis` dropped. Precondition: p and q lie
/// strictly on both sides. In double-double, for lines that nearly fall together.
double crossing_parameter(const Point3& p, const Point3& q, const Point3& from, const Point3& to, int axis) noexcept {
  const double scale = 0.5 * scale_to_one(std::max({max_abs(0.5 * p - 0.5 * from), max_abs(0.5 * q - 0.5 * from),
                                                    max_abs(0.5 * to - 0.5 * from)}));
  const Point2 origin = drop_axis(from, axis);
  const auto local = [&](const Point3& v) {
    const Point2 flat = drop_axis(v, axis);
    return std::pair{scaled_difference(flat.x, origin.x, scale), scaled_difference(flat.y, origin.y, scale)};
  };
  const auto direction = local(to);
  const auto height = [&](const Point3& v) {
    const auto [x, y] = local(v);
    return static_cast<double>(direction.first * y - direction.second * x);
  };
  const double h_p = height(p), h_q = height(q);
  return h_p != h_q ? std::clamp(h_p / (h_p - h_q), 0.0, 1.0) : 0.5;
}

/// Those of `points` that lie on the line from–to, as a segment.
Segment points_on_line(std::span<const Point3> points, const Point3& from, const Point3& to, int axis) noexcept {
  std::array<Point3, 3> on{};
  std::size_t count = 0;
  for (const Point3& p : points)
    if (orient2d_dropping(axis, from, to, p) == 0) on[count++] = p;
  SNUG_ASSERT(count > 0);
  const auto [lo, hi] = std::minmax_element(on.begin(), on.begin() + static_cast<std::ptrdiff_t>(count));
  return {*lo, *hi};
}

/// The convex polygon two counter-clockwise coplanar triangles share. Its corners are the corners of each that lie in the
/// other, as they are, and the crossings of their sides, rounded; which of them there are is decided exactly.
TriangleIntersection shared_polygon(const Triangle& a, const Triangle& b, int axis) noexcept {
  TriangleIntersection polygon{.relation = Relation::touching};
  const auto add = [&](const Point3& p) {
    if (polygon.count < polygon.corner.size()) polygon.corner[polygon.count++] = p;
  };
  const auto side = [&](const Triangle& t, std::size_t i, const Point3& p) {
    return orient2d_dropping(axis, t[i], t[(i + 1) % 3], p);
  };
  const auto holds = [&](const Triangle& t, const Point3& p) {
    return side(t, 0, p) >= 0 && side(t, 1, p) >= 0 && side(t, 2, p) >= 0;
  };
  for (const Point3& p : a.corner)
    if (holds(b, p)) add(p);
  for (const Point3& p : b.corner)
    if (holds(a, p) && std::ranges::find(a.corner, p) == a.corner.end()) add(p);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const Point3 &p = a[i], &q = a[(i + 1) % 3], &from = b[j], &to = b[(j + 1) % 3];
      if (side(b, j, p) * side(b, j, q) < 0 && side(a, i, from) * side(a, i, to) < 0)
        add(lerp(p, q, crossing_parameter(p, q, from, to, axis)));
    }
  // Around a point in their midst; by insertion, as there are at most six.
  Vec3 middle;
  for (const Point3& p : polygon.points()) middle = middle + (1.0 / polygon.count) * p;
  const Point2 centre = drop_axis(middle, axis);
  const auto comes_before = [&](const Point3& l, const Point3& r) {
    const Point2 p = drop_axis(l, axis), q = drop_axis(r, axis);
    const bool p_below = p.y < centre.y, q_below = q.y < centre.y;
    return p_below != q_below ? q_below : orient2d(centre, p, q) > 0;
  };
  for (std::size_t i = 1; i < polygon.count && i < polygon.corner.size(); ++i)
    for (std::size_t j = i; j > 0 && comes_before(polygon.corner[j], polygon.corner[j - 1]); --j)
      std::swap(polygon.corner[j], polygon.corner[j - 1]);
  return polygon;
}

TriangleIntersection coplanar(const Triangle& a, const Triangle& b, int axis) noexcept {
  if (!coplanar_share_point(a, b, axis)) return {};
  const Triangle ccw_a = counter_clockwise(a, axis);
  const Triangle ccw_b = counter_clockwise(b, axis);
  // They share an area unless the line of an edge has the other triangle on its outer side, touching included; then
  // all that is shared lies on that line and its ends are corners.
  for (const auto& [t, other] : {std::pair{&ccw_a, &ccw_b}, std::pair{&ccw_b, &ccw_a}}) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Point3& from = (*t)[i];
      const Point3& to = (*t)[(i + 1) % 3];
      if (std::ranges::any_of(other->corner, [&](const Point3& p) { return orient2d_dropping(axis, from, to, p) > 0; }))
        continue;
      const Segment s = points_on_line(t->corner, from, to, axis);
      const Segment o = points_on_line(other->corner, from, to, axis);
      return from_segment({std::max(s.lo, o.lo), std::min(s.hi, o.hi)});
    }
  }
  return shared_polygon(ccw_a, ccw_b, axis);
}

TriangleIntersection segment_in_plane_of_triangle(const Segment& s, const Triangle& t, int axis) noexcept {
  const Triangle ccw = counter_clockwise(t, axis);
  const std::array<Point3, 2> ends{s.lo, s.hi};
  double first = 0, last = 1;  // what is left of the segment
  for (std::size_t i = 0; i < 3; ++i) {
    const Point3 &from = ccw[i], &to = ccw[(i + 1) % 3];
    const int side_lo = orient2d_dropping(axis, from, to, s.lo), side_hi = orient2d_dropping(axis, from, to, s.hi);
    if (side_lo <= 0 && side_hi <= 0) {  // all that is shared lies on this side's line
      const Segment shared_ends = points_on_line(ends, from, to, axis);
      const Segment side{std::min(from, to), std::max(from, to)};
      return from_segment({std::max(shared_ends.lo, side.lo), std::min(shared_ends.hi, side.hi)});
    }
    if (side_lo * side_hi >= 0) continue;
    const double at = crossing_parameter(s.lo, s.hi, from, to, axis);
    if (side_lo < 0)
      first = std::max(first, at);
    else
      last = std::min(last, at);
  }
  // A single corner on the segment's line, the others on one side: that corner is all.
  std::array<int, 3> side_of_corner{};
  for (std::size_t i = 0; i < 3; ++i) side_of_corner[i] = orient2d_dropping(axis, s.lo, s.hi, ccw[i]);
  if (!straddles(side_of_corner)) {
    const Segment on = points_on_line(ccw.corner, s.lo, s.hi, axis);
    return from_segment({std::max(on.lo, s.lo), std::min(on.hi, s.hi)});
  }
  return made_of({lerp(s.lo, s.hi, std::min(first, last)), lerp(s.lo, s.hi, last)});
}

TriangleIntersection segment_and_triangle(const Segment& s, const Triangle& t, int axis) noexcept {
  if (!segment_meets_triangle(s, t, axis)) return {};
  if (s.is_point()) return made_of({s.lo});
  const int side_lo = side_of_plane(t[0], t[1], t[2], s.lo);
  const int side_hi = side_of_plane(t[0], t[1], t[2], s.hi);
  if (side_lo == 0 && side_hi == 0) return segment_in_plane_of_triangle(s, t, axis);
  if (side_lo == 0) return made_of({s.lo});
  if (side_hi == 0) return made_of({s.hi});
  const PlaneHeight height(t, Triangle{{s.lo, s.hi, s.hi}});
  return made_of({at_height_zero(s.lo, height(s.lo), s.hi, height(s.hi))});
}

TriangleIntersection segment_and_segment(const Segment& s, const Segment& t) noexcept {
  if (!segments_share_point(s, t)) return {};
  const int axis = projection_axis_of_segments(s, t);
  if (axis == k_no_axis) return from_segment({std::max(s.lo, t.lo), std::min(s.hi, t.hi)});
  if (s.is_point()) return made_of({s.lo});
  if (t.is_point()) return made_of({t.lo});
  for (const Point3& end : {t.lo, t.hi})
    if (orient2d_dropping(axis, s.lo, s.hi, end) == 0) return made_of({end});
  return made_of({lerp(s.lo, s.hi, crossing_parameter(s.lo, s.hi, t.lo, t.hi, axis))});
}

TriangleIntersection intersection_in_order(const Triangle& a, const Triangle& b) noexcept {
  const std::array<int, 3> sides_a = sides_of_plane(b, a);
  const std::array<int, 3> sides_b = sides_of_plane(a, b);
  if (all_positive_or_all_negative(sides_a) || all_positive_or_all_negative(sides_b)) return {};
  constexpr std::array<int, 3> k_all_zero{0, 0, 0};
  if (sides_a != k_all_zero && sides_b != k_all_zero) return on_common_line(a, b, sides_a, sides_b);

  const int axis_a = projection_axis(a);
  const int axis_b = projection_axis(b);
  if (axis_a != k_no_axis && axis_b != k_no_axis) return coplanar(a, b, axis_a);
  if (axis_a != k_no_axis) return segment_and_triangle(covered_segment(b), a, axis_a);
  if (axis_b != k_no_axis) return segment_and_triangle(covered_segment(a), b, axis_b);
  return segment_and_segment(covered_segment(a), covered_segment(b));
}

}  // namespace

TriangleIntersection intersection(const Triangle& a, const Triangle& b) noexcept {
  if (!are_finite(a, b)) [[unlikely]]
    return {.relation = Relation::invalid};
  // In one order of triangles and corners, whatever the caller's: rounding must not show it.
  const Triangle sorted_a = sorted_corners(a), sorted_b = sorted_corners(b);
  return sorted_a.corner <= sorted_b.corner ? intersection_in_order(sorted_a, sorted_b)
                                            : intersection_in_order(sorted_b, sorted_a);
}

}  // namespace snug
