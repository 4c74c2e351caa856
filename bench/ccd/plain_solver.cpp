#include "bench/ccd/plain_solver.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace snug::bench::ccd {

namespace {

using snug::geometry::cross;
using snug::geometry::dot;

constexpr double k_tolerance = 1e-10;  // of barycentric coordinates

struct Roots {
  std::array<double, 3> at;
  std::size_t count = 0;
};

/// Roots in [0, 1] of c0 + c1 t + c2 t² + c3 t³, rising: between the extremes the cubic is monotone, and Newton's method
/// kept within a bracket finds the root there.
Roots roots_in_unit(double c0, double c1, double c2, double c3) noexcept {
  const auto value = [&](double t) { return c0 + t * (c1 + t * (c2 + t * c3)); };
  std::array<double, 4> limit{0, 1, 1, 1};
  std::size_t limits = 1;
  const double half = c2 * c2 - 3 * c3 * c1;
  if (half > 0) {
    const double q = -(c2 + std::copysign(std::sqrt(half), c2));
    double first = q / (3 * c3), second = c1 / q;
    if (first > second) std::swap(first, second);
    if (first > 0 && first < 1) limit[limits++] = first;
    if (second > 0 && second < 1) limit[limits++] = second;
  }
  limit[limits] = 1;
  Roots roots;
  double left = value(0);
  for (std::size_t i = 0; i < limits; ++i) {
    double lo = limit[i], hi = limit[i + 1];
    const double right = value(hi);
    if (left == 0) {
      roots.at[roots.count++] = lo;
    } else if ((left < 0) != (right < 0) || right == 0) {
      double t = lo - left * (hi - lo) / (right - left);
      for (int round = 0; round < 20; ++round) {
        const double v = value(t);
        (v < 0) == (left < 0) ? lo = t : hi = t;
        double next = t - v / (c1 + t * (2 * c2 + t * 3 * c3));
        if (!(next >= lo && next <= hi)) next = 0.5 * (lo + hi);
        const double step = std::abs(next - t);
        t = next;
        if (step < 1e-14) break;
      }
      roots.at[roots.count++] = t;
    }
    left = right;
  }
  return roots;
}

struct Moving {
  Vec3 start, change;
  Moving(const MovingPoint& to, const MovingPoint& from) noexcept
      : start(to.t0 - from.t0), change((to.t1 - from.t1) - start) {}
  [[nodiscard]] Vec3 at(double t) const noexcept { return start + t * change; }
};

/// det(x, u, v) as a cubic.
Roots coplanar_times(const Moving& x, const Moving& u, const Moving& v) noexcept {
  const Vec3 n0 = cross(u.start, v.start), n2 = cross(u.change, v.change);
  const Vec3 n1 = cross(u.start, v.change) + cross(u.change, v.start);
  return roots_in_unit(dot(x.start, n0), dot(x.change, n0) + dot(x.start, n1), dot(x.change, n1) + dot(x.start, n2),
                       dot(x.change, n2));
}

Aabb path_box(std::span<const MovingPoint> points) noexcept {
  Aabb box;
  for (const MovingPoint& p : points) {
    box.include(p.t0);
    box.include(p.t1);
  }
  return box;
}

}  // namespace

bool plain_contact(const MovingPoint& vertex, const MovingTriangle& face) noexcept {
  const Moving x(vertex, face[0]), u(face[1], face[0]), v(face[2], face[0]);
  const Roots roots = coplanar_times(x, u, v);
  for (std::size_t i = 0; i < roots.count; ++i) {
    const Vec3 p = x.at(roots.at[i]), e = u.at(roots.at[i]), f = v.at(roots.at[i]);
    const double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), pe = dot(p, e), pf = dot(p, f);
    const double area = ee * ff - ef * ef;
    const double b = (ff * pe - ef * pf) / area, c = (ee * pf - ef * pe) / area;
    if (b >= -k_tolerance && c >= -k_tolerance && b + c <= 1 + k_tolerance) return true;
  }
  return false;
}

bool plain_contact(const MovingEdge& a, const MovingEdge& b) noexcept {
  const Moving x(b[0], a[0]), u(a[1], a[0]), v(b[1], b[0]);
  const Roots roots = coplanar_times(x, u, v);
  for (std::size_t i = 0; i < roots.count; ++i) {
    const Vec3 p = x.at(roots.at[i]), e = u.at(roots.at[i]), f = v.at(roots.at[i]);
    const double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), pe = dot(p, e), pf = dot(p, f);
    const double area = ee * ff - ef * ef;
    const double s = (ff * pe - ef * pf) / area, r = (ef * pe - ee * pf) / area;
    if (s >= -k_tolerance && s <= 1 + k_tolerance && r >= -k_tolerance && r <= 1 + k_tolerance) return true;
  }
  return false;
}

bool paths_apart(const MovingPoint& vertex, const MovingTriangle& face) noexcept {
  return !path_box(std::span(&vertex, 1)).overlaps(path_box(face));
}
bool paths_apart(const MovingEdge& a, const MovingEdge& b) noexcept { return !path_box(a).overlaps(path_box(b)); }

}  // namespace snug::bench::ccd
