#include "ccd/separating_axis.hpp"

#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace snug::ccd {

namespace {

using Edges = std::array<Vec3, 3>;

Edges edges_of(const Triangle& t) noexcept { return {t[1] - t[0], t[2] - t[1], t[0] - t[2]}; }

/// True if the other's corner that is closest to the face's plane is above the face itself, all others being on the same side: the normal
/// then is the direction of the shortest distance.
bool above_face(const Triangle& face, const Edges& edges, const Vec3& normal, const Triangle& other) noexcept {
  const std::array<double, 3> heights{dot(normal, other[0] - face[0]), dot(normal, other[1] - face[0]),
                                      dot(normal, other[2] - face[0])};
  const bool above = heights[0] > 0 && heights[1] > 0 && heights[2] > 0;
  if (!above && !(heights[0] < 0 && heights[1] < 0 && heights[2] < 0)) return false;
  std::size_t closest = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (std::abs(heights[i]) < std::abs(heights[closest])) closest = i;
  for (std::size_t i = 0; i < 3; ++i)
    if (dot(cross(edges[i], other[closest] - face[i]), normal) < 0) return false;
  return true;
}

}  // namespace

void separate_along(const Vec3& v, const Triangle& a, const Triangle& b, SeparatingAxis& best) noexcept {
  const double a0 = dot(v, a[0]), a1 = dot(v, a[1]), a2 = dot(v, a[2]);
  const double b0 = dot(v, b[0]), b1 = dot(v, b[1]), b2 = dot(v, b[2]);
  const double ahead = std::min({b0, b1, b2}) - std::max({a0, a1, a2});
  const double behind = std::min({a0, a1, a2}) - std::max({b0, b1, b2});
  const double parted = std::max(ahead, behind), squared = dot(v, v);
  if (!(parted > 0) || !(parted * parted > best.gap * best.gap * squared)) return;
  if (squared < 0x1p-900) return;  // next to underflow lengths are not known well enough
  const double length = std::sqrt(squared);
  best.gap = parted / length;
  best.direction = (ahead > behind ? 1 / length : -1 / length) * v;
}

void separate_widest(const Triangle& a, const Triangle& b, double far, SeparatingAxis& best) noexcept {
  const Edges edges_a = edges_of(a), edges_b = edges_of(b);
  const Vec3 normal_a = cross(edges_a[0], edges_a[1]), normal_b = cross(edges_b[0], edges_b[1]);
  separate_along(normal_a, a, b, best);
  if (above_face(a, edges_a, normal_a, b)) return;
  separate_along(normal_b, a, b, best);
  if (above_face(b, edges_b, normal_b, a)) return;
  for (const Vec3& e : edges_a)
    for (const Vec3& f : edges_b) separate_along(cross(e, f), a, b, best);
  if (best.gap > far * std::max(max_abs(edges_a[0]), max_abs(edges_b[0]))) return;
  separate_along(from_closest_corner(a, b), a, b, best);
}

Vec3 from_closest_corner(const Triangle& a, const Triangle& b) noexcept {
  Vec3 shortest;
  double squared = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i)
    for (const Vec3& d : {closest_point(a[i], b) - a[i], b[i] - closest_point(b[i], a)})
      if (const double s = dot(d, d); s < squared) squared = s, shortest = d;
  return shortest;
}

}  // namespace snug::ccd
