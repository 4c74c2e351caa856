#pragma once

#include "support/rooms.hpp"

#include <snug/triangle.hpp>

#include <cstdint>

namespace snug::contact {

/// Which way two triangles that meet get apart soonest.
struct PairWay {
  Vec3 normal;           ///< unit, from b to a
  double depth = 0;      ///< a moved so far along it does not cross b; zero for those that only touch
  bool of_face = false;  ///< the normal is that of one of the triangles
  bool none = false;     ///< they lie side by side, and neither is in the other's way
};

/// A triangle as part of its body.
struct PairSide {
  Triangle triangle;
  double facing = 1;      ///< -1 if it faces into the body
  std::uint8_t flat = 0;  ///< bits of sides across which the surface goes on in its plane
};

/// Of the normals of both triangles and the directions across two sides, the one along which the shortest way leads out. Only
/// directions that lead out of b's front and a's back rather than into them, both taken together: the way over an edge that is sharper
/// than a right angle leads into one of its faces. None across sides that are flat: beyond those it would only meet the next triangle
/// of the same face. Exchanging the triangles turns the normal round,
/// unless they are equal.
[[nodiscard]] PairWay way_apart(const PairSide& a, const PairSide& b, Relation how) noexcept;

}  // namespace snug::contact
