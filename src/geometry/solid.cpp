#include "geometry/edges.hpp"
#include "geometry/flat.hpp"
#include "geometry/orient.hpp"
#include "geometry/ray_count.hpp"

#include <snug/solid.hpp>

#include <algorithm>

namespace snug {

namespace {

using namespace geometry;

/// Sign of orient2d(a, b, q), where q has been moved by (e, e^2) for an infinitely small e > 0: never zero unless
/// a == b. Both triangles at an edge a–b see opposite signs, so a ray through the edge counts once.
int perturbed_orient2d(Point2 a, Point2 b, Point2 q) noexcept {
  if (const int sign = orient2d(a, b, q); sign != 0) return sign;
  if (a.y != b.y) return a.y < b.y ? -1 : 1;
  if (a.x != b.x) return a.x < b.x ? 1 : -1;
  return 0;
}

/// The ray runs along +x, so the crossing is decided in the y–z plane.
constexpr int k_ray_axis = 0;

/// +1 or -1 if the (infinitely little displaced) ray's line goes through the triangle along or against its normal,
/// 0 if it passes by.
int line_crossing(const Point3& p, const Triangle& t) noexcept {
  const Point2 q = drop_axis(p, k_ray_axis);
  const Point2 c0 = drop_axis(t[0], k_ray_axis), c1 = drop_axis(t[1], k_ray_axis), c2 = drop_axis(t[2], k_ray_axis);
  if (std::min({c0.x, c1.x, c2.x}) > q.x || std::max({c0.x, c1.x, c2.x}) < q.x) return 0;
  if (std::min({c0.y, c1.y, c2.y}) > q.y || std::max({c0.y, c1.y, c2.y}) < q.y) return 0;
  const int s0 = perturbed_orient2d(c0, c1, q);
  if (s0 == 0 || perturbed_orient2d(c1, c2, q) != s0 || perturbed_orient2d(c2, c0, q) != s0) return 0;
  return s0;
}

}  // namespace

namespace {
/// Meshes are held to this when they are built; views come from anywhere.
bool is_sound(const TriangleMeshView& mesh, std::size_t triangle) noexcept {
  return std::ranges::all_of(mesh.triangles[triangle], [&](std::uint32_t v) { return v < mesh.vertices.size(); }) &&
         mesh.triangle(triangle).is_finite();
}
}  // namespace

bool is_closed(const TriangleMeshView& mesh) {
  if (!std::ranges::all_of(mesh.vertices, &Point3::is_finite)) return false;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (!is_sound(mesh, t)) return false;
  return are_balanced(sorted_edge_uses(mesh, same_place_ids(mesh.vertices)));
}

namespace geometry {

bool count_crossing(const Point3& p, const Triangle& t, int& winding) noexcept {
  // Everything behind the ray's origin is neither crossed nor touched.
  if (std::max({t[0].x, t[1].x, t[2].x}) < p.x) return true;
  const int crossing = line_crossing(p, t);
  if (std::min({t[0].x, t[1].x, t[2].x}) > p.x) {
    winding += crossing;
    return true;
  }
  // p lies within the triangle's range along the ray: it may lie on the triangle, before it or behind it.
  const int side = side_of_plane(t[0], t[1], t[2], p);
  if (side == 0) {
    const int axis = projection_axis(t);
    const Segment point{p, p};
    // In its plane but off it: the displaced ray cannot cross it either.
    return !(axis != k_no_axis ? segment_meets_triangle(point, t, axis)
                               : segments_share_point(point, covered_segment(t)));
  }
  // The plane is crossed ahead when p is on the side the ray leaves.
  if (crossing != 0 && side == -crossing) winding += crossing;
  return true;
}

}  // namespace geometry

PointLocation locate(const Point3& p, const TriangleMeshView& mesh) noexcept {
  if (!p.is_finite()) return {Side::invalid, 0};
  WindingCount count(RayAlongX{p});
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (!is_sound(mesh, i)) return {Side::invalid, 0};
    if (!count.add(mesh.triangle(i))) return {Side::boundary, 0};
  }
  return {count.side(), count.winding()};
}

}  // namespace snug
