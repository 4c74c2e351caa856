#include "ccd/sweep/swept_hull.hpp"

#include "geometry/orient.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace snug::ccd::sweep {

namespace {

/// Of Gilbert's method. More than five of hulls tell few of them apart that five do not: 9 of 588 pairs in the last cycle of
/// Kitamura's spheres, for a sixth of the time.
constexpr int k_hull_rounds = 5;
constexpr int k_rounds = 10;
constexpr double k_shortest = 0x1p-7;  ///< pieces of the step in earliest_approach()
constexpr int k_pieces = 100;          ///< looked into before the answer is given as it stands
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

template <std::size_t N>
Support support(const std::array<Vec3, N>& a, const std::array<Vec3, N>& b, Vec3 n) noexcept {
  std::size_t i = 0, j = 0;
  double least = dot(n, a[0]), most = dot(n, b[0]);
  for (std::size_t k = 1; k < N; ++k) {
    const double da = dot(n, a[k]), db = dot(n, b[k]);
    if (da < least) least = da, i = k;
    if (db > most) most = db, j = k;
  }
  return {a[i] - b[j], least - most};
}

/// How far apart both are along n, times its length, whichever lies ahead; negative where they overlap.
template <std::size_t N>
double gap_along(const std::array<Vec3, N>& a, const std::array<Vec3, N>& b, Vec3 n) noexcept {
  double least_a = dot(n, a[0]), most_a = least_a, least_b = dot(n, b[0]), most_b = least_b;
  for (std::size_t k = 1; k < N; ++k) {
    const double da = dot(n, a[k]), db = dot(n, b[k]);
    least_a = std::min(least_a, da), most_a = std::max(most_a, da);
    least_b = std::min(least_b, db), most_b = std::max(most_b, db);
  }
  return std::max(least_a - most_b, least_b - most_a);
}

bool beyond(double gap, Vec3 n, double largest, double distance) noexcept {
  // Next to underflow neither lengths nor gaps are known; no direction so short is trusted, and the exact test decides.
  if (!(dot(n, n) >= 0x1p-900)) return false;
  return gap > (distance + k_error * largest) * length_of(n) * (1 + 0x1p-40);
}

/// Gilbert (1966): towards the point of the difference of both hulls that is closest to the origin. Returns the last direction;
/// ends early when `done` likes one.
template <std::size_t N, class Done>
Vec3 closest_direction(const std::array<Vec3, N>& a, const std::array<Vec3, N>& b, Vec3 v, int rounds,
                       const Done& done) noexcept {
  for (int round = 0; round < rounds; ++round) {
    const Support s = support(a, b, v);
    if (done(s.gap, v)) return v;
    const Vec3 step = s.difference - v;
    const double squared = dot(step, step), along = -dot(v, step);
    if (!(along > 0 && squared > 0)) break;  // the closest point, or as good as
    v = v + std::min(1.0, along / squared) * step;
  }
  return v;
}

}  // namespace

bool hulls_apart(const MovingTriangle& a, const MovingTriangle& b, double distance) noexcept {
  const Corners c(a, b);
  const auto tells = [&](Vec3 n) { return beyond(gap_along(c.a, c.b, n), n, c.largest, distance); };
  bool apart = false;
  const Vec3 start = ((c.a[0] + c.a[3]) + c.a[4]) - ((c.b[0] + c.b[3]) + c.b[4]);
  closest_direction(c.a, c.b, (1.0 / 3) * start, k_hull_rounds, [&](double gap, Vec3 n) {
    apart = beyond(gap, n, c.largest, distance);
    return apart;
  });
  // Faces that lie flat beside each other: their normals tell at once what Gilbert's method needs many rounds for.
  return apart || tells(cross(c.a[2] - c.a[0], c.a[4] - c.a[0])) || tells(cross(c.b[2] - c.b[0], c.b[4] - c.b[0])) ||
         tells(cross(c.a[3] - c.a[1], c.a[5] - c.a[1])) || tells(cross(c.b[3] - c.b[1], c.b[5] - c.b[1]));
}

std::optional<double> earliest_approach(const MovingTriangle& a, const MovingTriangle& b, double distance) noexcept {
  const Corners c(a, b);
  const auto place = [](const std::array<Vec3, 6>& side, double t) -> std::array<Vec3, 3> {
    const auto at = [&](std::size_t i) { return (1 - t) * side[2 * i] + t * side[2 * i + 1]; };
    return {at(0), at(1), at(2)};
  };
  double lo = 0, length = 1;
  // Pieces from left to right; a piece that is told is left behind and the next one tried twice as long.
  for (int piece = 0; piece < k_pieces; ++piece) {
    const double hi = std::min(1.0, lo + length), middle = 0.5 * (lo + hi);
    const auto a_lo = place(c.a, lo), b_lo = place(c.b, lo), a_hi = place(c.a, hi), b_hi = place(c.b, hi);
    bool apart = false;
    // Corners move linearly: what holds along one direction at both ends holds in between.
    const auto tells = [&](double gap, Vec3 n) {
      apart = beyond(gap, n, c.largest, distance) && beyond(support(a_lo, b_lo, n).gap, n, c.largest, distance) &&
              beyond(support(a_hi, b_hi, n).gap, n, c.largest, distance);
      return apart;
    };
    const auto a_mid = place(c.a, middle), b_mid = place(c.b, middle);
    closest_direction(a_mid, b_mid, a_mid[0] - b_mid[0], k_rounds, tells);
    for (const auto& side : {a_mid, b_mid})
      for (const double sign : {1.0, -1.0})
        if (!apart) {
          const Vec3 n = sign * cross(side[1] - side[0], side[2] - side[0]);
          tells(support(a_mid, b_mid, n).gap, n);
        }
    if (apart) {
      lo = hi;
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

}  // namespace snug::ccd::sweep
