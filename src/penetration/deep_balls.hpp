#pragma once

#include "query/convex/depth.hpp"
#include "shape/posed.hpp"
#include "support/rooms.hpp"

#include <snug/vec.hpp>

namespace snug::penetration {

/// Two balls about one point, one in each body: no shorter way than both radii together moves one body out of the other. A radius
/// below zero is how far the body is from the point.
struct DeepBalls {
  Point3 centre;
  double in_a = 0, in_b = 0;

  [[nodiscard]] double depth() const noexcept { return in_a + in_b; }
};

/// The deepest that were found in some places; for certain, but deeper ones may exist. Bounded bodies: primitives, and meshes as solids
/// where their shells are closed.
[[nodiscard]] DeepBalls deep_balls(const Posed& a, const Posed& b, DepthMemory& memory);

/// True if a point of one body is inside the other, closed one. Of bodies whose surfaces are apart.
[[nodiscard]] bool one_in_other(const Posed& a, const Posed& b);

}  // namespace snug::penetration
