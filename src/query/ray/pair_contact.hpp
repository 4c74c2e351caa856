#pragma once

#include <snug/triangle.hpp>

namespace snug::detail {

/// Which way two triangles that meet get apart soonest.
struct PairWay {
  Vec3 normal;           ///< unit, from b to a
  double depth = 0;      ///< a moved so far along it does not cross b; zero for those that only touch
  bool of_face = false;  ///< the normal is that of one of the triangles
  bool none = false;     ///< they lie side by side, and neither is in the other's way
};

/// Of the normals of both triangles and the directions across two sides, the one along which the shortest way leads out. Only
/// directions that lead out of b's front and a's back into the open, if there are any beside the normals. `facing_a` and
/// `facing_b` are -1 for triangles of bodies turned inside out, else 1. Exchanging the triangles turns the normal round,
/// unless they are equal.
[[nodiscard]] PairWay way_apart(const Triangle& a, double facing_a, const Triangle& b, double facing_b,
                                Relation how) noexcept;

/// How far a has to be moved along the unit normal to be beyond b, rounded up.
[[nodiscard]] double overlap_along(const Vec3& normal, const Triangle& a, const Triangle& b) noexcept;

}  // namespace snug::detail
