#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <array>

namespace snug::contact {

/// Orientation signs of posed triangles after body a has been translated by an infinitely small vector: e·apart + e²·x + e³·y + e⁴·z for
/// an e > 0 smaller than any number (Edelsbrunner and Mücke 1990, with one translation in place of a perturbation of each vertex). Touching
/// features then either cross or are disjoint, and all triangles of both bodies agree on it: intersection curves are closed wherever
/// both surfaces are. Signs that are not zero stay as they are, so nothing that crosses is changed.
class PerturbedSigns {
 public:
  /// `apart`: the direction in which touching faces are to be separated; may be zero.
  explicit PerturbedSigns(const Vec3& apart = {}) noexcept : directions_{apart, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {}

  /// On which side of the plane of `b` the corners of `a` lie: +1 or -1; 0 only if `b` is degenerate.
  [[nodiscard]] std::array<int, 3> sides_of_a(const Triangle& a, const Triangle& b) const noexcept;
  /// On which side of the plane of `a` the corners of `b` lie.
  [[nodiscard]] std::array<int, 3> sides_of_b(const Triangle& a, const Triangle& b) const noexcept;
  /// On which side of the plane of `b` the translation leads; 0 only if `b` is degenerate.
  [[nodiscard]] int side_of_plane_moved(const Triangle& b) const noexcept { return moved(b[0], b[1], b[0], b[2]); }
  /// Sign of det(a1 - a0, b0 - a0, b1 - a0) for an edge of each body; 0 only if they are parallel.
  [[nodiscard]] int edges(const Point3& a0, const Point3& a1, const Point3& b0, const Point3& b1) const noexcept;

 private:
  /// Sign of det(u1 - u0, v1 - v0, translation).
  [[nodiscard]] int moved(const Point3& u0, const Point3& u1, const Point3& v0, const Point3& v1) const noexcept;

  std::array<Vec3, 4> directions_;
};

}  // namespace snug::contact
