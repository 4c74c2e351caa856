#include "geometry/unit_triangle.hpp"

#include "geometry/bounded.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <array>

namespace snug::geometry {

namespace {

struct BoundedVec {
  Bounded x, y, z;
};

BoundedVec difference(const Point3& p, const Point3& q, double scale) noexcept {
  // Scaling by a power of two keeps products in range and rounds nothing that matters.
  return {Bounded(scale * p.x) - Bounded(scale * q.x), Bounded(scale * p.y) - Bounded(scale * q.y),
          Bounded(scale * p.z) - Bounded(scale * q.z)};
}
Bounded inner(const BoundedVec& a, const BoundedVec& b) noexcept { return a.x * b.x + a.y * b.y + a.z * b.z; }
BoundedVec outer(const BoundedVec& a, const BoundedVec& b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// In the frame of b: its corners are (0,0,0), (1,0,0), (0,1,0) times `unit`, its plane is w = 0.
struct Mapped {
  Bounded u, v, w;
};

/// Where an edge of a pierces w = 0, homogeneous with positive weight.
struct PlanePoint {
  Bounded u, v, weight;
};

PlanePoint pierce(const Mapped& above, const Mapped& below) noexcept {
  // above.w > 0 > below.w, so the weight is positive.
  return {above.w * below.u - below.w * above.u, above.w * below.v - below.w * above.v, above.w - below.w};
}

/// Homogeneous values that are negative outside the three sides of the unit triangle.
std::array<Bounded, 3> inside_values(const PlanePoint& p, Bounded unit) noexcept {
  return {p.u, p.v, unit * p.weight - p.u - p.v};
}

/// The segment p–q in b's plane against the unit triangle.
UnitTriangleAnswer segment_against_unit_triangle(const PlanePoint& p, const PlanePoint& q, Bounded unit) noexcept {
  const std::array<Bounded, 3> in_p = inside_values(p, unit), in_q = inside_values(q, unit);
  std::array<int, 3> sign_p{}, sign_q{};
  for (std::size_t i = 0; i < 3; ++i) {
    sign_p[i] = in_p[i].sign();
    sign_q[i] = in_q[i].sign();
    if (sign_p[i] == -1 && sign_q[i] == -1) return UnitTriangleAnswer::disjoint;
  }
  const auto inside = [](const std::array<int, 3>& s) { return s[0] == 1 && s[1] == 1 && s[2] == 1; };
  if (inside(sign_p) || inside(sign_q)) return UnitTriangleAnswer::intersecting;

  // The line through p and q, evaluated at the three corners.
  const Bounded line_u = p.v * q.weight - p.weight * q.v;
  const Bounded line_v = p.weight * q.u - p.u * q.weight;
  const Bounded at_origin = p.u * q.v - p.v * q.u;
  const std::array<int, 3> corner{at_origin.sign(), (line_u * unit + at_origin).sign(),
                                  (line_v * unit + at_origin).sign()};
  if (std::ranges::all_of(corner, [](int s) { return s == 1; }) ||
      std::ranges::all_of(corner, [](int s) { return s == -1; }))
    return UnitTriangleAnswer::disjoint;

  // A side with p and q strictly on both sides of it, and its ends strictly on both sides of the line, is crossed.
  constexpr std::array<std::array<std::size_t, 2>, 3> k_side_ends{{{0, 2}, {0, 1}, {1, 2}}};
  for (std::size_t i = 0; i < 3; ++i) {
    const int s0 = corner[k_side_ends[i][0]], s1 = corner[k_side_ends[i][1]];
    if (sign_p[i] * sign_q[i] == -1 && s0 * s1 == -1) return UnitTriangleAnswer::intersecting;
  }
  return UnitTriangleAnswer::undecided;
}

}  // namespace

UnitTriangleAnswer unit_triangle_test(const Triangle& a, const Triangle& b) noexcept {
  double extent = 0;
  for (const Triangle* t : {&a, &b})
    for (const Point3& p : t->corner) extent = std::max(extent, max_abs(p));
  const double scale = scale_to_one(extent);

  // Division-free: the inverse of (e1, e2, n) up to the factor det = n.n.
  const BoundedVec e1 = difference(b[1], b[0], scale), e2 = difference(b[2], b[0], scale);
  const BoundedVec n = outer(e1, e2);
  const BoundedVec row_u = outer(e2, n), row_v = outer(n, e1);
  const Bounded unit = inner(n, n);
  if (unit.sign() != 1) return UnitTriangleAnswer::undecided;  // b may be degenerate

  std::array<Mapped, 3> m;
  std::array<int, 3> side{};
  for (std::size_t i = 0; i < 3; ++i) {
    const BoundedVec p = difference(a[i], b[0], scale);
    m[i] = {inner(row_u, p), inner(row_v, p), inner(n, p)};
    side[i] = m[i].w.sign();
  }
  const auto count = [&](int s) { return std::ranges::count(side, s); };
  if (count(1) == 3 || count(-1) == 3) return UnitTriangleAnswer::disjoint;
  // Sides of the unit triangle that leave all of a outside.
  const auto all_outside = [&](auto value) {
    return std::ranges::all_of(m, [&](const Mapped& p) { return value(p).sign() == -1; });
  };
  if (all_outside([](const Mapped& p) { return p.u; }) || all_outside([](const Mapped& p) { return p.v; }) ||
      all_outside([&](const Mapped& p) { return unit - p.u - p.v; }))
    return UnitTriangleAnswer::disjoint;
  if (count(0) != 0) return UnitTriangleAnswer::undecided;

  // One corner is alone on its side; its two edges pierce the plane.
  const int lone_sign = count(1) == 1 ? 1 : -1;
  const auto lone = static_cast<std::size_t>(std::ranges::find(side, lone_sign) - side.begin());
  const Mapped& apex = m[lone];
  const Mapped& q = m[(lone + 1) % 3];
  const Mapped& r = m[(lone + 2) % 3];
  return lone_sign == 1 ? segment_against_unit_triangle(pierce(apex, q), pierce(apex, r), unit)
                        : segment_against_unit_triangle(pierce(q, apex), pierce(r, apex), unit);
}

}  // namespace snug::geometry
