#include "query/sweep/swept_hull.hpp"

#include "geometry/orient.hpp"
#include "geometry/vec_ops.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace snug::detail::sweep {

namespace {

constexpr int k_rounds = 10;            ///< of Gilbert's method
constexpr double k_shortest = 0x1p-10;  ///< pieces of the step in earliest_approach()
constexpr int k_pieces = 200;           ///< looked into before the answer is given as it stands
constexpr double k_error = 64 * k_unit_roundoff;

/// Corners of both triangles at both ends, seen from one of them, so that differences lose nothing but their own rounding.
struct Corners {
  std::array<Vec3, 6> a, b;
  double largest = 0;  ///< coordinate

  Corners(const MovingTriangle& ta, const MovingTriangle& tb) noexcept {
    const Point3 origin = ta[0].t0;
    for (std::size_t i = 0; i < 3; ++i) {
      a[2 * i] = ta[i].t0 - origin, a[2 * i + 1] = ta[i].t1 - origin;
      b[2 * i] = tb[i].t0 - origin, b[2 * i + 1] = tb[i].t1 - origin;
    }
    for (const auto* side : {&a, &b})
      for (const Vec3& p : *side) largest = std::max(largest, max_abs(p));
  }
};

struct Support {
  Vec3 difference;
  double gap;  ///< of a beyond b along the direction, times its length
};

Support support(const Corners& c, Vec3 n) noexcept {
  std::size_t i = 0, j = 0;
  double least = dot(n, c.a[0]), most = dot(n, c.b[0]);
  for (std::size_t k = 1; k < 6; ++k) {
    const double da = dot(n, c.a[k]), db = dot(n, c.b[k]);
    if (da < least) least = da, i = k;
    if (db > most) most = db, j = k;
  }
  return {c.a[i] - c.b[j], least - most};
}

bool beyond(double gap, Vec3 n, const Corners& c, double distance) noexcept {
  return gap > (distance + k_error * c.largest) * length_of(n) * (1 + 0x1p-40);
}

}  // namespace

bool hulls_apart(const MovingTriangle& a, const MovingTriangle& b, double distance) noexcept {
  const Corners c(a, b);
  const auto tells = [&](Vec3 n) {
    return beyond(support(c, n).gap, n, c, distance) || beyond(support(c, -n).gap, n, c, distance);
  };
  // Gilbert (1966): towards the point of the difference of both hulls that is closest to the origin.
  Vec3 v = (1.0 / 6) * (((c.a[0] + c.a[1]) + (c.a[2] + c.a[3])) + (c.a[4] + c.a[5])) -
           (1.0 / 6) * (((c.b[0] + c.b[1]) + (c.b[2] + c.b[3])) + (c.b[4] + c.b[5]));
  for (int round = 0; round < k_rounds; ++round) {
    const Support s = support(c, v);
    if (beyond(s.gap, v, c, distance)) return true;
    const Vec3 step = s.difference - v;
    const double squared = dot(step, step), along = -dot(v, step);
    if (!(along > 0 && squared > 0)) break;  // the closest point, or as good as
    v = v + std::min(1.0, along / squared) * step;
  }
  // Faces that lie flat beside each other: their normals tell at once what Gilbert's method needs many rounds for.
  return tells(cross(c.a[2] - c.a[0], c.a[4] - c.a[0])) || tells(cross(c.b[2] - c.b[0], c.b[4] - c.b[0])) ||
         tells(cross(c.a[3] - c.a[1], c.a[5] - c.a[1])) || tells(cross(c.b[3] - c.b[1], c.b[5] - c.b[1]));
}

std::optional<double> earliest_approach(const MovingTriangle& a, const MovingTriangle& b, double distance) noexcept {
  const Corners c(a, b);
  const auto place = [](const std::array<Vec3, 6>& side, double t) -> Triangle {
    const auto at = [&](std::size_t i) { return (1 - t) * side[2 * i] + t * side[2 * i + 1]; };
    return {{at(0), at(1), at(2)}};
  };
  std::array<double, 2> ends{0, 1};
  double lo = 0, length = 1;
  // Pieces from left to right; a piece that is told is left behind and the next one tried twice as long.
  for (int piece = 0; piece < k_pieces; ++piece) {
    ends = {lo, std::min(1.0, lo + length)};
    const double middle = 0.5 * (ends[0] + ends[1]);
    const ClosestPoints closest = closest_points(place(c.a, middle), place(c.b, middle));
    const Vec3 n = closest.on_a - closest.on_b;
    bool apart = true;
    for (const double t : ends) {
      const Triangle ta = place(c.a, t), tb = place(c.b, t);
      const double least = std::min({dot(n, ta[0]), dot(n, ta[1]), dot(n, ta[2])});
      const double most = std::max({dot(n, tb[0]), dot(n, tb[1]), dot(n, tb[2])});
      apart = apart && beyond(least - most, n, c, distance);
    }
    if (apart) {
      lo = ends[1];
      if (lo >= 1) return std::nullopt;
      length *= 2;
    } else if (length <= k_shortest) {
      break;
    } else {
      length *= 0.5;
    }
  }
  return lo;
}

}  // namespace snug::detail::sweep
