#include "geometry/orient.hpp"

namespace snug {

int orient3d(const Point3& a, const Point3& b, const Point3& c, const Point3& d) noexcept {
  if (!a.is_finite() || !b.is_finite() || !c.is_finite() || !d.is_finite()) [[unlikely]]
    return 0;
  return -geometry::side_of_plane(a, b, c, d);
}

int orient2d(Point2 a, Point2 b, Point2 c) noexcept {
  const double left = (b.x - a.x) * (c.y - a.y);
  const double right = (b.y - a.y) * (c.x - a.x);
  const int sign = geometry::filtered_sign(
      left - right, geometry::k_det2_error * (std::abs(left) + std::abs(right)) + geometry::k_underflow);
  if (sign == 0 && !(Vec3{a.x, b.x, c.x}.is_finite() && Vec3{a.y, b.y, c.y}.is_finite())) [[unlikely]]
    return 0;
  return sign != 0 ? sign : geometry::exact_sign_det2(a.x, a.y, b.x, b.y, c.x, c.y);
}

bool is_degenerate(const Triangle& t) noexcept {
  return !t.is_finite() || geometry::projection_axis(t) == geometry::k_no_axis;
}

namespace geometry {

int projection_axis(const Triangle& t) noexcept {
  // The largest component of the normal is the one most likely to be settled by the filter.
  const Vec3 n = PlaneFilter(t[1] - t[0], t[2] - t[0]).normal;
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  const int likely = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
  for (int k = 0; k < 3; ++k) {
    const int axis = (likely + k) % 3;
    if (orient2d_dropping(axis, t[0], t[1], t[2]) != 0) return axis;
  }
  return k_no_axis;
}

}  // namespace geometry

}  // namespace snug
