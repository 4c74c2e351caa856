#include "geometry/flat.hpp"

#include "geometry/orient.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::geometry {

Segment covered_segment(const Triangle& degenerate) noexcept {
  // Along a line the lexicographic order of points is their order on the line.
  const auto [lo, hi] = std::minmax({degenerate[0], degenerate[1], degenerate[2]});
  return {lo, hi};
}

Triangle counter_clockwise(const Triangle& t, int axis) noexcept {
  return orient2d_dropping(axis, t[0], t[1], t[2]) > 0 ? t : Triangle{{t[0], t[2], t[1]}};
}

namespace {

/// Is there an edge of the counter-clockwise triangle `t` with all `points` strictly on its outer side?
template <std::size_t Count>
bool edge_separates(const Triangle& t, const std::array<Point3, Count>& points, int axis) noexcept {
  for (std::size_t i = 0; i < 3; ++i) {
    const Point3& from = t[i];
    const Point3& to = t[(i + 1) % 3];
    if (std::ranges::all_of(points, [&](const Point3& p) { return orient2d_dropping(axis, from, to, p) < 0; }))
      return true;
  }
  return false;
}

}  // namespace

bool coplanar_share_point(const Triangle& a, const Triangle& b, int axis) noexcept {
  SNUG_ASSERT(axis != k_no_axis);
  // Disjoint convex polygons with area are separated by the line of one of their edges.
  const Triangle ccw_a = counter_clockwise(a, axis);
  const Triangle ccw_b = counter_clockwise(b, axis);
  return !edge_separates(ccw_a, b.corner, axis) && !edge_separates(ccw_b, a.corner, axis);
}

bool segment_meets_triangle(const Segment& s, const Triangle& t, int axis) noexcept {
  SNUG_ASSERT(axis != k_no_axis && s.lo <= s.hi);
  const int side_lo = side_of_plane(t[0], t[1], t[2], s.lo);
  const int side_hi = side_of_plane(t[0], t[1], t[2], s.hi);
  if (side_lo * side_hi > 0) return false;

  if (side_lo == 0 && side_hi == 0) {
    if (edge_separates(counter_clockwise(t, axis), std::array{s.lo, s.hi}, axis)) return false;
    if (s.is_point()) return true;
    const int o0 = orient2d_dropping(axis, s.lo, s.hi, t[0]);
    const int o1 = orient2d_dropping(axis, s.lo, s.hi, t[1]);
    const int o2 = orient2d_dropping(axis, s.lo, s.hi, t[2]);
    return !(o0 > 0 && o1 > 0 && o2 > 0) && !(o0 < 0 && o1 < 0 && o2 < 0);
  }

  // The segment pierces the plane in one point, which lies in the triangle if the segment's line passes all three
  // edges on the same side.
  const int e0 = side_of_plane(s.lo, s.hi, t[0], t[1]);
  const int e1 = side_of_plane(s.lo, s.hi, t[1], t[2]);
  const int e2 = side_of_plane(s.lo, s.hi, t[2], t[0]);
  return (e0 >= 0 && e1 >= 0 && e2 >= 0) || (e0 <= 0 && e1 <= 0 && e2 <= 0);
}

int projection_axis_of_segments(const Segment& s, const Segment& t) noexcept {
  for (const Triangle& three : {Triangle{{s.lo, s.hi, t.lo}}, Triangle{{s.lo, s.hi, t.hi}},
                                Triangle{{t.lo, t.hi, s.lo}}, Triangle{{t.lo, t.hi, s.hi}}}) {
    if (const int axis = projection_axis(three); axis != k_no_axis) return axis;
  }
  return k_no_axis;
}

bool segments_share_point(const Segment& s, const Segment& t) noexcept {
  SNUG_ASSERT(s.lo <= s.hi && t.lo <= t.hi);
  if (side_of_plane(s.lo, s.hi, t.lo, t.hi) != 0) return false;
  const int axis = projection_axis_of_segments(s, t);
  if (axis == k_no_axis) return std::max(s.lo, t.lo) <= std::min(s.hi, t.hi);
  const int s_of_tlo = orient2d_dropping(axis, s.lo, s.hi, t.lo);
  const int s_of_thi = orient2d_dropping(axis, s.lo, s.hi, t.hi);
  const int t_of_slo = orient2d_dropping(axis, t.lo, t.hi, s.lo);
  const int t_of_shi = orient2d_dropping(axis, t.lo, t.hi, s.hi);
  return s_of_tlo * s_of_thi <= 0 && t_of_slo * t_of_shi <= 0;
}

bool degenerate_share_point(const Triangle& a, int axis_a, const Triangle& b, int axis_b) noexcept {
  if (axis_a != k_no_axis) return segment_meets_triangle(covered_segment(b), a, axis_a);
  if (axis_b != k_no_axis) return segment_meets_triangle(covered_segment(a), b, axis_b);
  return segments_share_point(covered_segment(a), covered_segment(b));
}

}  // namespace snug::geometry
