#include "geometry/double_double.hpp"
#include "geometry/flat.hpp"
#include "geometry/interval.hpp"
#include "geometry/vec_ops.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <cmath>
#include <span>

// For drawing: what the triangles share is decided exactly, where it lies is rounded.

namespace snug {

namespace {

using namespace detail;

TriangleIntersection made_of(std::initializer_list<Point3> points) noexcept {
  TriangleIntersection result{.relation = Relation::touching};
  for (const Point3& p : points) result.corner[result.count++] = p;
  return result;
}

TriangleIntersection from_segment(const Segment& s) noexcept {
  return s.is_point() ? made_of({s.lo}) : made_of({s.lo, s.hi});
}

/// The point of from–to with signed heights h_from and h_to over a plane (of opposite sign, rounded) on that plane.
Point3 at_height_zero(const Point3& from, double h_from, const Point3& to, double h_to) noexcept {
  const double span = h_from - h_to;
  const double t = span != 0 ? std::clamp(h_from / span, 0.0, 1.0) : 0.5;
  return lerp(from, to, t);
}

/// Heights over a triangle's plane, up to a common factor, in double-double: where planes nearly fall together plain
/// doubles would leave nothing but noise.
class PlaneHeight {
 public:
  PlaneHeight(const Triangle& plane, const Triangle& other) noexcept : origin_(plane[0]) {
    double half_extent = 0;
    for (const Triangle* t : {&plane, &other})
      for (const Point3& p : t->corner) half_extent = std::max(half_extent, max_abs(0.5 * p - 0.5 * origin_));
    scale_ = 0.5 * scale_to_one(half_extent);
    const auto u = local(plane[1]), v = local(plane[2]);
    normal_ = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  }
  [[nodiscard]] double operator()(const Point3& p) const noexcept {
    const auto w = local(p);
    return static_cast<double>(normal_[0] * w[0] + normal_[1] * w[1] + normal_[2] * w[2]);
  }

 private:
  using Vector = std::array<DoubleDouble, 3>;
  [[nodiscard]] Vector local(const Point3& p) const noexcept {
    return {scaled_difference(p.x, origin_.x, scale_), scaled_difference(p.y, origin_.y, scale_),
            scaled_difference(p.z, origin_.z, scale_)};
  }

  Point3 origin_;
  double scale_ = 1;
  Vector normal_;
};

/// Where the edge from the apex to `end` meets the other triangle's plane. A corner exactly on it is returned as it is.
Point3 edge_meets_plane(const Arranged& t, const Point3& end, const Triangle& plane,
                        const PlaneHeight& height) noexcept {
  if (t.is_point) return *t.apex;
  if (side_of_plane(plane[0], plane[1], plane[2], end) == 0) return end;
  return at_height_zero(*t.apex, height(*t.apex), end, height(end));
}

TriangleIntersection on_common_line(const Triangle& a, const Triangle& b, const std::array<int, 3>& sides_a,
                                    const std::array<int, 3>& sides_b) noexcept {
  Arranged on_a = arrange(a, sides_a);
  Arranged on_b = arrange(b, sides_b);
  const IntervalSigns signs = compare_intervals(on_a, on_b);
  if (signs.first > 0 || signs.second > 0) return {};
  if (on_a.is_point) return made_of({*on_a.apex});
  if (on_b.is_point) return made_of({*on_b.apex});

  const PlaneHeight over_a(a, b), over_b(b, a);
  // Along the common line a covers [r-end, q-end] and b covers [q-end, r-end].
  if (signs.first == 0) return made_of({edge_meets_plane(on_a, *on_a.q, b, over_b)});
  if (signs.second == 0) return made_of({edge_meets_plane(on_a, *on_a.r, b, over_b)});
  const bool starts_with_a = side_of_plane(*on_a.apex, *on_a.r, *on_b.apex, *on_b.q) <= 0;
  const bool ends_with_a = side_of_plane(*on_a.apex, *on_a.q, *on_b.r, *on_b.apex) <= 0;
  TriangleIntersection result =
      made_of({starts_with_a ? edge_meets_plane(on_a, *on_a.r, b, over_b) : edge_meets_plane(on_b, *on_b.q, a, over_a),
               ends_with_a ? edge_meets_plane(on_a, *on_a.q, b, over_b) : edge_meets_plane(on_b, *on_b.r, a, over_a)});
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

/// Part of the convex polygon on the left of the directed line from–to, seen with `axis` dropped.
void clip_by_line(TriangleIntersection& polygon, const Point3& from, const Point3& to, int axis) noexcept {
  const TriangleIntersection before = polygon;
  polygon.count = 0;
  const auto push = [&](const Point3& p) {
    if (polygon.count > 0 && polygon.corner[polygon.count - 1] == p) return;
    if (polygon.count < polygon.corner.size()) polygon.corner[polygon.count++] = p;
  };
  for (std::uint32_t i = 0; i < before.count; ++i) {
    const Point3& p = before.corner[i];
    const Point3& next = before.corner[(i + 1) % before.count];
    const int side_p = orient2d_dropping(axis, from, to, p);
    const int side_next = orient2d_dropping(axis, from, to, next);
    if (side_p >= 0) push(p);
    if (side_p * side_next < 0) push(lerp(p, next, crossing_parameter(p, next, from, to, axis)));
  }
  if (polygon.count > 1 && polygon.corner[0] == polygon.corner[polygon.count - 1]) --polygon.count;
}

/// Those of `points` that lie on the line from–to, as a segment. Precondition: there is at least one.
Segment points_on_line(std::span<const Point3> points, const Point3& from, const Point3& to, int axis) noexcept {
  std::array<Point3, 3> on{};
  std::size_t count = 0;
  for (const Point3& p : points)
    if (orient2d_dropping(axis, from, to, p) == 0) on[count++] = p;
  const auto [lo, hi] = std::minmax_element(on.begin(), on.begin() + static_cast<std::ptrdiff_t>(count));
  return {*lo, *hi};
}

/// A point of the area two counter-clockwise coplanar triangles share, for areas so small that clipping with rounded
/// corners loses them: a corner of one inside the other or, failing that, a crossing of two sides.
Point3 some_common_point(const Triangle& a, const Triangle& b, int axis) noexcept {
  const auto holds = [&](const Triangle& t, const Point3& p) {
    return orient2d_dropping(axis, t[0], t[1], p) >= 0 && orient2d_dropping(axis, t[1], t[2], p) >= 0 &&
           orient2d_dropping(axis, t[2], t[0], p) >= 0;
  };
  for (const Point3& p : a.corner)
    if (holds(b, p)) return p;
  for (const Point3& p : b.corner)
    if (holds(a, p)) return p;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const Segment side_a{a[i], a[(i + 1) % 3]}, side_b{b[j], b[(j + 1) % 3]};
      if (!segments_share_point(side_a, side_b)) continue;
      return lerp(side_a.lo, side_a.hi, crossing_parameter(side_a.lo, side_a.hi, side_b.lo, side_b.hi, axis));
    }
  return a[0];  // not reached for triangles that share an area
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
  TriangleIntersection polygon = made_of({ccw_a[0], ccw_a[1], ccw_a[2]});
  for (std::size_t i = 0; i < 3; ++i) clip_by_line(polygon, ccw_b[i], ccw_b[(i + 1) % 3], axis);
  return polygon.count > 0 ? polygon : made_of({some_common_point(ccw_a, ccw_b, axis)});
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

}  // namespace

TriangleIntersection intersection(const Triangle& a, const Triangle& b) noexcept {
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

}  // namespace snug
