#pragma once

#include "geometry/line_meeting.hpp"

#include <snug/triangle.hpp>

// ray_hit() where doubles suffice, four numbers at a time: the sides of three edges and of the plane at once, then t. Why t has
// the bits of ray_hit() is in docs/exactness.md. Points are read member by member: nothing that others share may be instantiated
// here.

namespace snug::lanes::SNUG_LANES {

namespace lines {

/// A sum that is not evaluated.
struct Sum4 {
  FourDoubles hi, lo;
};

/// a - b without error.
inline Sum4 difference(const FourDoubles& a, const FourDoubles& b) noexcept {
  const FourDoubles hi = a - b, back = hi - a;
  return {hi, (a - (hi - back)) - (b + back)};
}

struct Sum {
  double hi, lo;
};
inline Sum sum(double a, double b) noexcept {
  const double hi = a + b, back = hi - a;
  return {hi, (a - (hi - back)) + (b - back)};
}

/// The sum of three products of sums, to about twice the digits of a double beside the largest of them.
inline Sum inner(const Sum4& a, const Sum4& b) noexcept {
  const FourDoubles products = a.hi * b.hi;
  const FourDoubles rests = product_error(a.hi, b.hi, products) + (a.hi * b.lo + a.lo * b.hi);
  alignas(32) double p[4], r[4];
  products.store(p);
  rests.store(r);
  const Sum first = sum(p[0], p[1]), both = sum(first.hi, p[2]);
  const double lo = (first.lo + both.lo) + ((r[0] + r[1]) + r[2]);
  const double hi = both.hi + lo;
  return {hi, lo - (hi - both.hi)};
}

inline double sum_of_three(const FourDoubles& a) noexcept {
  alignas(32) double p[4];
  a.store(p);
  return (p[0] + p[1]) + p[2];
}

/// Where the line meets the plane: 0 if it can not be told to the last bit. Axes in the order z, x, y.
inline double parameter(const Ray& ray, const Point3& a, const Point3& b, const Point3& c) noexcept {
  const FourDoubles from(a.x, a.y, a.z, 0);
  const Sum4 u = difference(FourDoubles(b.x, b.y, b.z, 0), from), v = difference(FourDoubles(c.x, c.y, c.z, 0), from);
  const Sum4 w = difference(FourDoubles(a.z, a.x, a.y, 0), FourDoubles(ray.origin.z, ray.origin.x, ray.origin.y, 0));
  const Sum4 d{FourDoubles(ray.direction.z, ray.direction.x, ray.direction.y, 0), FourDoubles(0.0)};
  // u x v, which comes out in that order.
  const Sum4 next_u{yzx(u.hi), yzx(u.lo)}, next_v{yzx(v.hi), yzx(v.lo)};
  const FourDoubles left = u.hi * next_v.hi, right = next_u.hi * v.hi;
  Sum4 normal = difference(left, right);
  normal.lo = (normal.lo + (product_error(u.hi, next_v.hi, left) - product_error(next_u.hi, v.hi, right))) +
              ((u.hi * next_v.lo + u.lo * next_v.hi) - (next_u.hi * v.lo + next_u.lo * v.hi));
  const FourDoubles magnitude = abs(left) + abs(right);
  const Sum height = inner(normal, w), along = inner(normal, d);
  const double of_height = sum_of_three(magnitude * abs(w.hi)), of_along = sum_of_three(magnitude * abs(d.hi));
  const double size_h = height.hi < 0 ? -height.hi : height.hi, size_a = along.hi < 0 ? -along.hi : along.hi;
  constexpr double k_least = 0x1p-500, k_most = 0x1p300, k_lost = 0x1p-40;
  if (!(size_h > k_least && size_a > k_least && of_height < k_most && of_along < k_most &&
        size_h > k_lost * of_height && size_a > k_lost * of_along))
    return 0;
  const double quotient = size_h / size_a;
  const double sign_h = height.hi < 0 ? -1 : 1, sign_a = along.hi < 0 ? -1 : 1;
  const double product = quotient * size_a;
  const double rest = ((size_h - product) - product_error(quotient, size_a, product)) +
                      (sign_h * height.lo - quotient * (sign_a * along.lo));
  const double correction = rest / size_a;
  const double error = 0x1p-92 * quotient * (of_height / size_h + of_along / size_a);
  const double low = quotient + (correction - error), high = quotient + (correction + error);
  return low == high ? low : 0;
}

}  // namespace lines

/// The corners of a triangle, coordinate by coordinate: the first, second, third, and the second again.
struct CornerLanes {
  FourDoubles x, y, z;

  static CornerLanes of(const Point3& a, const Point3& b, const Point3& c) noexcept {
    return {{a.x, b.x, c.x, b.x}, {a.y, b.y, c.y, b.y}, {a.z, b.z, c.z, b.z}};
  }
  void store(Point3 corner[3]) const noexcept {
    alignas(32) double all[3][4];
    x.store(all[0]), y.store(all[1]), z.store(all[2]);
    for (int k = 0; k < 3; ++k) corner[k].x = all[0][k], corner[k].y = all[1][k], corner[k].z = all[2][k];
  }
};

inline LineMeeting meet_line(const Ray& ray, const CornerLanes& corner) noexcept {
  const FourDoubles ox(ray.origin.x), oy(ray.origin.y), oz(ray.origin.z);
  // Three edges seen from the origin, with the direction; two edges seen from the first corner, with the origin.
  const FourDoubles from_x = first_at_last(ox, corner.x), from_y = first_at_last(oy, corner.y),
                    from_z = first_at_last(oz, corner.z);
  const FourDoubles ux = corner.x - from_x, vx = next_corners(corner.x) - from_x;
  const FourDoubles uy = corner.y - from_y, vy = next_corners(corner.y) - from_y;
  const FourDoubles uz = corner.z - from_z, vz = next_corners(corner.z) - from_z;
  const FourDoubles wx = first_at_last(FourDoubles(ray.direction.x), ox - corner.x),
                    wy = first_at_last(FourDoubles(ray.direction.y), oy - corner.y),
                    wz = first_at_last(FourDoubles(ray.direction.z), oz - corner.z);
  const FourDoubles yz = uy * vz, zy = uz * vy, zx = uz * vx, xz = ux * vz, xy = ux * vy, yx = uy * vx;
  const FourDoubles det = ((yz - zy) * wx + (zx - xz) * wy) + (xy - yx) * wz;
  const FourDoubles ax = abs(wx), ay = abs(wy), az = abs(wz);
  const FourDoubles permanent = ((abs(yz) + abs(zy)) * ax + (abs(zx) + abs(xz)) * ay) + (abs(xy) + abs(yx)) * az;
  // As PlaneFilter: 8 roundings of the permanent, and what products lose that underflow.
  const FourDoubles error =
      FourDoubles(0x1p-50) * permanent + FourDoubles(0x1p-900) * ((ax + ay) + (az + FourDoubles(1.0)));
  const unsigned above = greater(det, error), below = greater(FourDoubles(0.0) - det, error);
  constexpr unsigned k_edges = 7, k_plane = 8;
  LineMeeting met;
  if ((above & k_edges) != 0 && (below & k_edges) != 0) {
    met.where = LineMeeting::Where::beside;
    return met;
  }
  met.along_normal = (above & k_edges) == k_edges;
  if ((!met.along_normal && (below & k_edges) != k_edges) || ((above | below) & k_plane) == 0) return met;
  Point3 at[3];
  corner.store(at);
  met.t = lines::parameter(ray, at[0], at[1], at[2]);
  if (met.t > 0)
    met.where = ((below & k_plane) != 0) == met.along_normal ? LineMeeting::Where::ahead : LineMeeting::Where::behind;
  return met;
}
inline LineMeeting meet_line(const Ray& ray, const Point3& a, const Point3& b, const Point3& c) noexcept {
  return meet_line(ray, CornerLanes::of(a, b, c));
}

}  // namespace snug::lanes::SNUG_LANES
