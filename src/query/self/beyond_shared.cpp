#include "query/self/beyond_shared.hpp"

#include "geometry/flat.hpp"
#include "geometry/orient.hpp"

#include <algorithm>

namespace snug::query {

namespace {

/// Corners of both triangles that are one place, each place once: corner of_a[i] of a is corner of_b[i] of b.
struct Shared {
  std::size_t count = 0;
  std::array<std::size_t, 3> of_a{}, of_b{};

  Shared(const Triangle& a, const Triangle& b) noexcept {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        if (a[i] == b[j]) {
          if (!holds(a, a[i])) of_a[count] = i, of_b[count] = j, ++count;
          break;
        }
  }

 private:
  [[nodiscard]] bool holds(const Triangle& a, const Point3& p) const noexcept {
    for (std::size_t k = 0; k < count; ++k)
      if (a[of_a[k]] == p) return true;
    return false;
  }
};

bool in_one_plane_of_axes(const Triangle& a, const Triangle& b) noexcept {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double at = a[0][axis];
    if (a[1][axis] == at && a[2][axis] == at && b[0][axis] == at && b[1][axis] == at && b[2][axis] == at) return true;
  }
  return false;
}

/// A triangle seen from one of its corners.
struct Corner {
  const Point3 &apex, &p, &q;

  Corner(const Triangle& t, std::size_t i) noexcept : apex(t[i]), p(t[(i + 1) % 3]), q(t[(i + 2) % 3]) {}

  /// Sides of two points relative to its plane.
  [[nodiscard]] std::pair<int, int> sides(const Point3& x, const Point3& y) const noexcept {
    const PlaneFilter filter(p - apex, q - apex);
    int first = filter.side(x - apex), second = filter.side(y - apex);
    if (first == 0) first = unsure_side_of_plane(apex, p, q, x);
    if (second == 0) second = unsure_side_of_plane(apex, p, q, y);
    return {first, second};
  }
  /// Does the ray from the apex to x, in the plane of the triangle, begin inside of it or along a side? The triangle has area.
  [[nodiscard]] bool holds_ray_to(const Point3& x, int axis) const noexcept {
    const int turn = orient2d_dropping(axis, apex, p, q);
    return turn * orient2d_dropping(axis, apex, p, x) >= 0 && turn * orient2d_dropping(axis, apex, x, q) >= 0;
  }
};

Relation touching_if(bool found) noexcept { return found ? Relation::touching : Relation::disjoint; }

/// Neighbours of which `flat`, without area, covers a segment; `t` has area.
bool segment_leaves_shared(const Triangle& flat, const Triangle& t, const Shared& shared, std::size_t corner_of_t,
                           int axis) noexcept {
  // Two common corners span a side of t, and t has nothing else on the line through them.
  if (shared.count > 1) return false;
  const Corner corner(t, corner_of_t);
  const Segment segment = covered_segment(flat);
  for (const Point3& end : {segment.lo, segment.hi})
    if (end != corner.apex && side_of_plane(t[0], t[1], t[2], end) == 0 && corner.holds_ray_to(end, axis)) return true;
  return false;
}

bool segments_leave_shared(const Triangle& a, const Triangle& b, const Shared& shared) noexcept {
  const Segment s = covered_segment(a), t = covered_segment(b);
  if (projection_axis_of_segments(s, t) != k_no_axis) return false;  // on two lines, which meet in the common corner
  // Along a line the lexicographic order of points is their order on the line.
  Point3 lo = a[shared.of_a[0]], hi = lo;
  for (std::size_t k = 1; k < shared.count; ++k)
    lo = std::min(lo, a[shared.of_a[k]]), hi = std::max(hi, a[shared.of_a[k]]);
  return std::max(s.lo, t.lo) < lo || hi < std::min(s.hi, t.hi);
}

/// Neighbours in one plane, or without area.
[[gnu::noinline]] Relation flat_beyond_shared(const Triangle& a, const Triangle& b, const Shared& shared) noexcept {
  const int axis_a = projection_axis(a), axis_b = projection_axis(b);
  if (axis_a == k_no_axis && axis_b == k_no_axis) return touching_if(segments_leave_shared(a, b, shared));
  if (axis_a == k_no_axis) return touching_if(segment_leaves_shared(a, b, shared, shared.of_b[0], axis_b));
  if (axis_b == k_no_axis) return touching_if(segment_leaves_shared(b, a, shared, shared.of_a[0], axis_a));
  if (shared.count == 3) return Relation::touching;
  if (shared.count == 2) {
    const Point3 &p = a[shared.of_a[0]], &q = a[shared.of_a[1]];
    const Point3 &of_a = a[3 - shared.of_a[0] - shared.of_a[1]], &of_b = b[3 - shared.of_b[0] - shared.of_b[1]];
    return touching_if(orient2d_dropping(axis_a, p, q, of_a) == orient2d_dropping(axis_a, p, q, of_b));
  }
  // Near the common corner both are cones, and cones meet elsewhere if one holds a side of the other.
  const Corner in_a(a, shared.of_a[0]), in_b(b, shared.of_b[0]);
  return touching_if(in_b.holds_ray_to(in_a.p, axis_a) || in_b.holds_ray_to(in_a.q, axis_a) ||
                     in_a.holds_ray_to(in_b.p, axis_a));
}

/// What relation() says of strangers in one plane, or without area.
Relation flat_relation(const Triangle& a, const Triangle& b) noexcept {
  const int axis_a = projection_axis(a), axis_b = projection_axis(b);
  return touching_if(axis_a != k_no_axis && axis_b != k_no_axis ? coplanar_share_point(a, b, axis_a)
                                                                : degenerate_share_point(a, axis_a, b, axis_b));
}

/// Two cones from one apex, in planes of their own, each cover no more than one ray of the line common to the planes. The
/// triangles share more than the apex if that is the same ray.
Relation beyond_corner(const Triangle& a, const Triangle& b, const Shared& shared) noexcept {
  const Corner in_a(a, shared.of_a[0]), in_b(b, shared.of_b[0]);
  const auto [b_p, b_q] = in_a.sides(in_b.p, in_b.q);
  if (b_p * b_q > 0) return Relation::disjoint;
  if (b_p == 0 && b_q == 0) return flat_beyond_shared(a, b, shared);
  const auto [a_p, a_q] = in_b.sides(in_a.p, in_a.q);
  if (a_p * a_q > 0) return Relation::disjoint;
  if (a_p == 0 && a_q == 0) return flat_beyond_shared(a, b, shared);
  // Where the side of b that lies across from the apex passes through the plane of a: within the cone of a if it is on q's
  // side of the line to p, and on p's side of the line to q.
  const int from = b_p != 0 ? b_p : -b_q;
  if (from * a_p > 0 || from * a_q < 0) return Relation::disjoint;
  return b_p * b_q < 0 && a_p * a_q < 0 ? Relation::crossing : Relation::touching;
}

}  // namespace

Relation relation_beyond_shared(const Triangle& a, const Triangle& b) noexcept {
  const Shared shared(a, b);
  switch (shared.count) {
    case 0:
      return in_one_plane_of_axes(a, b) ? flat_relation(a, b) : relation(a, b);
    case 1:
      return beyond_corner(a, b, shared);
    case 2: {
      const Point3 &of_a = a[3 - shared.of_a[0] - shared.of_a[1]], &of_b = b[3 - shared.of_b[0] - shared.of_b[1]];
      const Point3 &p = a[shared.of_a[0]], &q = a[shared.of_a[1]];
      const int side = PlaneFilter(q - p, of_a - p).side(of_b - p);
      if (side != 0 || unsure_side_of_plane(p, q, of_a, of_b) != 0) return Relation::disjoint;
      return flat_beyond_shared(a, b, shared);
    }
    default:
      return flat_beyond_shared(a, b, shared);
  }
}

}  // namespace snug::query
