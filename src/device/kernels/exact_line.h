/* A line and a triangle in doubles, with the operations of the processor (src/geometry/lanes/meet_line.hpp), so that what is
   certain has its bits. For devices whose doubles are those of IEEE 754. */
#ifndef SNUG_DEVICE_EXACT_LINE_H
#define SNUG_DEVICE_EXACT_LINE_H
#ifdef __OPENCL_VERSION__
#pragma OPENCL FP_CONTRACT OFF
#endif

typedef struct {
  double at[3];
} SnugVec;

SnugVec snug_vec(double x, double y, double z) {
  SnugVec v;
  v.at[0] = x, v.at[1] = y, v.at[2] = z;
  return v;
}
SnugVec snug_plus(SnugVec a, SnugVec b) { return snug_vec(a.at[0] + b.at[0], a.at[1] + b.at[1], a.at[2] + b.at[2]); }
SnugVec snug_minus(SnugVec a, SnugVec b) { return snug_vec(a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]); }
SnugVec snug_times(double s, SnugVec a) { return snug_vec(s * a.at[0], s * a.at[1], s * a.at[2]); }
double snug_inner(SnugVec a, SnugVec b) { return (a.at[0] * b.at[0] + a.at[1] * b.at[1]) + a.at[2] * b.at[2]; }
SnugVec snug_cross(SnugVec a, SnugVec b) {
  return snug_vec(a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2],
                  a.at[0] * b.at[1] - a.at[1] * b.at[0]);
}

/* Sums that are not evaluated. */
typedef struct {
  double hi, lo;
} SnugSum2;
typedef struct {
  SnugVec hi, lo;
} SnugSumVec;

SnugSum2 snug_sum2(double a, double b) {
  const double hi = a + b, back = hi - a;
  SnugSum2 sum;
  sum.hi = hi, sum.lo = (a - (hi - back)) + (b - back);
  return sum;
}
SnugSumVec snug_difference(SnugVec a, SnugVec b) {
  SnugSumVec sum;
  for (int i = 0; i < 3; ++i) {
    const double hi = a.at[i] - b.at[i], back = hi - a.at[i];
    sum.hi.at[i] = hi, sum.lo.at[i] = (a.at[i] - (hi - back)) - (b.at[i] + back);
  }
  return sum;
}
SnugSum2 snug_sum_inner(const SnugSumVec* a, const SnugSumVec* b) {
  double p[3], r[3];
  for (int i = 0; i < 3; ++i) {
    p[i] = a->hi.at[i] * b->hi.at[i];
    r[i] = fma(a->hi.at[i], b->hi.at[i], -p[i]) + (a->hi.at[i] * b->lo.at[i] + a->lo.at[i] * b->hi.at[i]);
  }
  const SnugSum2 first = snug_sum2(p[0], p[1]), both = snug_sum2(first.hi, p[2]);
  const double lo = (first.lo + both.lo) + ((r[0] + r[1]) + r[2]);
  SnugSum2 sum;
  sum.hi = both.hi + lo, sum.lo = lo - (sum.hi - both.hi);
  return sum;
}

/* Where the line meets the plane of a triangle; 0 if that can not be told to the last bit. Axes in the order z, x, y. */
double snug_parameter(SnugVec origin, SnugVec direction, const SnugVec* corner) {
  const SnugVec a = corner[0];
  const SnugSumVec u = snug_difference(corner[1], a), v = snug_difference(corner[2], a);
  const SnugSumVec w =
      snug_difference(snug_vec(a.at[2], a.at[0], a.at[1]), snug_vec(origin.at[2], origin.at[0], origin.at[1]));
  SnugSumVec d, normal;
  double of_h[3], of_a[3];
  d.hi = snug_vec(direction.at[2], direction.at[0], direction.at[1]), d.lo = snug_vec(0.0, 0.0, 0.0);
  for (int i = 0; i < 3; ++i) {
    const int k = i == 2 ? 0 : i + 1;
    const double left = u.hi.at[i] * v.hi.at[k], right = u.hi.at[k] * v.hi.at[i];
    const double hi = left - right, back = hi - left;
    const double lo = (left - (hi - back)) - (right + back);
    normal.hi.at[i] = hi;
    normal.lo.at[i] =
        (lo + (fma(u.hi.at[i], v.hi.at[k], -left) - fma(u.hi.at[k], v.hi.at[i], -right))) +
        ((u.hi.at[i] * v.lo.at[k] + u.lo.at[i] * v.hi.at[k]) - (u.hi.at[k] * v.lo.at[i] + u.lo.at[k] * v.hi.at[i]));
    const double magnitude = fabs(left) + fabs(right);
    of_h[i] = magnitude * fabs(w.hi.at[i]), of_a[i] = magnitude * fabs(d.hi.at[i]);
  }
  const SnugSum2 height = snug_sum_inner(&normal, &w), along = snug_sum_inner(&normal, &d);
  const double of_height = (of_h[0] + of_h[1]) + of_h[2], of_along = (of_a[0] + of_a[1]) + of_a[2];
  const double size_h = height.hi < 0.0 ? -height.hi : height.hi, size_a = along.hi < 0.0 ? -along.hi : along.hi;
  if (!(size_h > 0x1p-500 && size_a > 0x1p-500 && of_height < 0x1p300 && of_along < 0x1p300 &&
        size_h > 0x1p-40 * of_height && size_a > 0x1p-40 * of_along))
    return 0.0;
  const double quotient = size_h / size_a;
  const double sign_h = height.hi < 0.0 ? -1.0 : 1.0, sign_a = along.hi < 0.0 ? -1.0 : 1.0;
  const double product = quotient * size_a;
  const double rest =
      ((size_h - product) - fma(quotient, size_a, -product)) + (sign_h * height.lo - quotient * (sign_a * along.lo));
  const double correction = rest / size_a;
  const double error = 0x1p-92 * quotient * (of_height / size_h + of_along / size_a);
  const double low = quotient + (correction - error), high = quotient + (correction + error);
  return low == high ? low : 0.0;
}

#define SNUG_UNSURE 0u
#define SNUG_BESIDE 1u
#define SNUG_AHEAD 2u
#define SNUG_BEHIND 3u
typedef struct {
  uint where;
  bool along_normal; /* the ray goes out through the triangle */
  double t;
} SnugMeeting;

SnugMeeting snug_meet(SnugVec origin, SnugVec direction, const SnugVec* corner) {
  SnugMeeting met;
  uint above = 0, below = 0;
  met.where = SNUG_UNSURE, met.along_normal = false, met.t = 0.0;
  /* Three edges seen from the origin, with the direction; two edges seen from the first corner, with the origin. */
  for (uint k = 0; k < 4; ++k) {
    const SnugVec from = k < 3 ? origin : corner[0];
    const SnugVec u = snug_minus(corner[k == 3 ? 1 : k], from);
    const SnugVec v = snug_minus(corner[k == 3 ? 2 : (k == 2 ? 0 : k + 1)], from);
    const SnugVec w = k < 3 ? direction : snug_minus(origin, corner[0]);
    const double yz = u.at[1] * v.at[2], zy = u.at[2] * v.at[1], zx = u.at[2] * v.at[0];
    const double xz = u.at[0] * v.at[2], xy = u.at[0] * v.at[1], yx = u.at[1] * v.at[0];
    const double det = ((yz - zy) * w.at[0] + (zx - xz) * w.at[1]) + (xy - yx) * w.at[2];
    const double ax = fabs(w.at[0]), ay = fabs(w.at[1]), az = fabs(w.at[2]);
    const double permanent = ((fabs(yz) + fabs(zy)) * ax + (fabs(zx) + fabs(xz)) * ay) + (fabs(xy) + fabs(yx)) * az;
    const double error = 0x1p-50 * permanent + 0x1p-900 * ((ax + ay) + (az + 1.0));
    above |= det > error ? 1u << k : 0u;
    below |= 0.0 - det > error ? 1u << k : 0u;
  }
  if ((above & 7u) != 0 && (below & 7u) != 0) {
    met.where = SNUG_BESIDE;
    return met;
  }
  met.along_normal = (above & 7u) == 7u;
  if ((!met.along_normal && (below & 7u) != 7u) || ((above | below) & 8u) == 0) return met;
  met.t = snug_parameter(origin, direction, corner);
  if (met.t > 0.0) met.where = ((below & 8u) != 0) == met.along_normal ? SNUG_AHEAD : SNUG_BEHIND;
  return met;
}

#endif
