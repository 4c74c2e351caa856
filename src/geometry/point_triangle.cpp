#include "geometry/point_triangle.hpp"

#include "geometry/vec_ops.hpp"

namespace snug::geometry {

namespace {

Point3 closest_on_edge(const Point3& p, const Point3& from, const Point3& to) noexcept {
  const Vec3 d = to - from;
  const double length2 = dot(d, d);
  return length2 > 0 ? lerp(from, to, std::clamp(dot(p - from, d) / length2, 0.0, 1.0)) : from;
}

}  // namespace

Point3 closest_point(const Point3& p, const Triangle& t) noexcept {
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  const double n2 = dot(n, n);
  if (n2 > 0) {
    bool inside = true;
    for (std::size_t i = 0; i < 3 && inside; ++i) inside = dot(cross(t[(i + 1) % 3] - t[i], p - t[i]), n) >= 0;
    if (inside) return p - (dot(p - t[0], n) / n2) * n;
  }
  Point3 best = closest_on_edge(p, t[0], t[1]);
  for (const Point3& q : {closest_on_edge(p, t[1], t[2]), closest_on_edge(p, t[2], t[0])})
    if (dot(q - p, q - p) < dot(best - p, best - p)) best = q;
  return best;
}

}  // namespace snug::geometry
