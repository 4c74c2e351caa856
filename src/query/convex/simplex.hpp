#pragma once

#include "geometry/double_double.hpp"
#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <array>
#include <cmath>
#include <cstdint>

// The point of a simplex that is closest to the origin, with the corners that hold it. In doubles, or in double-double where
// these lose what is asked for: a small distance between large bodies.

namespace snug::query {

template <class Real>
struct RealVec {
  Real x{}, y{}, z{};

  RealVec() = default;
  RealVec(Real px, Real py, Real pz) : x(px), y(py), z(pz) {}
  explicit RealVec(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}
  explicit operator Vec3() const { return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)}; }

  friend RealVec operator+(const RealVec& a, const RealVec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend RealVec operator-(const RealVec& a, const RealVec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend RealVec operator*(const Real& s, const RealVec& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend Real inner(const RealVec& a, const RealVec& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
  friend RealVec outer(const RealVec& a, const RealVec& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
};

/// Corners in use and their shares, which are positive and add up to one, and the point they make.
template <class Real>
struct OnSimplex {
  std::uint32_t count = 0;
  std::array<std::uint32_t, 4> corner{};
  std::array<Real, 4> share{};
  RealVec<Real> point;
  Real squared{};

  void offer(const OnSimplex& other) {
    if (count == 0 || other.squared < squared) *this = other;
  }
};

template <class Real>
using Corners4 = std::array<RealVec<Real>, 4>;

template <class Real>
OnSimplex<Real> on_corner(const Corners4<Real>& y, std::uint32_t i) {
  return {1, {i}, {Real(1)}, y[i], inner(y[i], y[i])};
}

template <class Real>
OnSimplex<Real> on_edge(const Corners4<Real>& y, std::uint32_t i, std::uint32_t j) {
  const RealVec<Real> e = y[j] - y[i];
  const Real along = Real(0) - inner(y[i], e), length2 = inner(e, e);
  if (!(along > Real(0))) return on_corner(y, i);
  if (!(along < length2)) return on_corner(y, j);
  const Real t = along / length2;
  OnSimplex<Real> on{2, {i, j}, {Real(1) - t, t}, y[i] + t * e, Real(0)};
  on.squared = inner(on.point, on.point);
  return on;
}

template <class Real>
OnSimplex<Real> on_triangle(const Corners4<Real>& y, std::uint32_t i, std::uint32_t j, std::uint32_t k) {
  // Seen from one corner, so that corners close to one another keep their digits.
  const RealVec<Real> u = y[j] - y[i], v = y[k] - y[i], normal = outer(u, v);
  const Real n2 = inner(normal, normal);
  if (n2 > Real(0)) {
    const Real of_j = inner(normal, outer(v, y[i])) / n2, of_k = inner(normal, outer(y[i], u)) / n2;
    const Real of_i = Real(1) - (of_j + of_k);
    if (of_i > Real(0) && of_j > Real(0) && of_k > Real(0)) {
      // Along the normal, not as a sum of corners: that would lose the direction of a short way to a large triangle.
      OnSimplex<Real> on{3, {i, j, k}, {of_i, of_j, of_k}, (inner(normal, y[i]) / n2) * normal, Real(0)};
      on.squared = inner(on.point, on.point);
      return on;
    }
  }
  OnSimplex<Real> best = on_edge(y, i, j);
  best.offer(on_edge(y, j, k));
  best.offer(on_edge(y, i, k));
  return best;
}

template <class Real>
OnSimplex<Real> on_tetrahedron(const Corners4<Real>& y, double negligible) {
  const RealVec<Real> a = y[1] - y[0], b = y[2] - y[0], c = y[3] - y[0], bc = outer(b, c);
  const Real volume = inner(a, bc);
  const bool solid = volume > Real(0) || volume < Real(0);
  std::array<Real, 4> share{};
  if (solid) {
    const RealVec<Real> w = Real(-1) * y[0];
    share[1] = inner(w, bc) / volume;
    share[2] = inner(a, outer(w, c)) / volume;
    share[3] = inner(a, outer(b, w)) / volume;
    share[0] = Real(1) - ((share[1] + share[2]) + share[3]);
    if (share[0] >= Real(0) && share[1] >= Real(0) && share[2] >= Real(0) && share[3] >= Real(0)) {
      // Slivers may claim what is not in them; what the shares add up to tells.
      OnSimplex<Real> on{4, {0, 1, 2, 3}, share, {}, Real(0)};
      on.point = ((share[0] * y[0] + share[1] * y[1]) + share[2] * y[2]) + share[3] * y[3];
      on.squared = inner(on.point, on.point);
      if (on.squared <= Real(negligible * negligible)) return on;
    }
  }
  OnSimplex<Real> best;
  constexpr std::uint32_t faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  // Faces that the origin lies beyond, or where rounding could have it so; all if that is not known.
  for (const bool all : {false, true}) {
    for (std::size_t f = 0; f < 4; ++f)
      if (all || (solid && share[f] < Real(1e-6))) best.offer(on_triangle(y, faces[f][0], faces[f][1], faces[f][2]));
    if (best.count != 0) break;
  }
  return best;
}

template <class Real>
OnSimplex<Real> closest_on_simplex(const Corners4<Real>& y, std::uint32_t count, double negligible) {
  switch (count) {
    case 1:
      return on_corner(y, 0);
    case 2:
      return on_edge(y, 0, 1);
    case 3:
      return on_triangle(y, 0, 1, 2);
    default:
      return on_tetrahedron(y, negligible);
  }
}

}  // namespace snug::query
