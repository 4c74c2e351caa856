#pragma once

#include <snug/vec.hpp>

#include <algorithm>
#include <cmath>

namespace snug::bench {

/// Plain-double interval test after Möller (1997), without divisions, for comparison: fast, and wrong near contact.
/// Coplanar triangles are answered no.
class Moller {
 public:
  [[nodiscard]] static bool intersect(const Triangle& a, const Triangle& b) noexcept {
    const Vec3 n_b = cross(b[1] - b[0], b[2] - b[0]);
    const double c_b = -dot(n_b, b[0]);
    const double da0 = dot(n_b, a[0]) + c_b, da1 = dot(n_b, a[1]) + c_b, da2 = dot(n_b, a[2]) + c_b;
    if (da0 * da1 > 0 && da0 * da2 > 0) return false;
    const Vec3 n_a = cross(a[1] - a[0], a[2] - a[0]);
    const double c_a = -dot(n_a, a[0]);
    const double db0 = dot(n_a, b[0]) + c_a, db1 = dot(n_a, b[1]) + c_a, db2 = dot(n_a, b[2]) + c_a;
    if (db0 * db1 > 0 && db0 * db2 > 0) return false;

    const Vec3 line = cross(n_a, n_b);
    const double x = std::abs(line.x), y = std::abs(line.y), z = std::abs(line.z);
    const std::size_t axis = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
    Interval ia, ib;
    if (!interval(a[0][axis], a[1][axis], a[2][axis], da0, da1, da2, ia)) return false;
    if (!interval(b[0][axis], b[1][axis], b[2][axis], db0, db1, db2, ib)) return false;
    const double xx = ia.x0 * ia.x1, yy = ib.x0 * ib.x1, xxyy = xx * yy;
    const double a0 = ia.a * xxyy + ia.b * ia.x1 * yy, a1 = ia.a * xxyy + ia.c * ia.x0 * yy;
    const double b0 = ib.a * xxyy + ib.b * xx * ib.x1, b1 = ib.a * xxyy + ib.c * xx * ib.x0;
    return std::max(a0, a1) >= std::min(b0, b1) && std::max(b0, b1) >= std::min(a0, a1);
  }

 private:
  struct Interval {
    double a, b, c, x0, x1;
  };
  static double dot(const Vec3& a, const Vec3& b) noexcept { return a.x * b.x + a.y * b.y + a.z * b.z; }
  static Vec3 cross(const Vec3& a, const Vec3& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  /// False for coplanar triangles.
  static bool interval(double v0, double v1, double v2, double d0, double d1, double d2, Interval& out) noexcept {
    const auto from = [&](double p, double q, double r, double dp, double dq, double dr) {
      out = {p, (q - p) * dp, (r - p) * dp, dp - dq, dp - dr};
      return true;
    };
    if (d0 * d1 > 0) return from(v2, v0, v1, d2, d0, d1);
    if (d0 * d2 > 0) return from(v1, v0, v2, d1, d0, d2);
    if (d1 * d2 > 0 || d0 != 0) return from(v0, v1, v2, d0, d1, d2);
    if (d1 != 0) return from(v1, v0, v2, d1, d0, d2);
    if (d2 != 0) return from(v2, v0, v1, d2, d0, d1);
    return false;
  }
};

}  // namespace snug::bench
