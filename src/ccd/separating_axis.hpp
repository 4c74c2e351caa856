#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

namespace snug::ccd {

/// A direction of unit length that separates two triangles, from a to b, and the gap along it; zero if none is known.
struct SeparatingAxis {
  double gap = 0;
  Vec3 direction;
};

/// Takes a direction, of any length, if it separates them more than the one known.
void separate_along(const Vec3& v, const Triangle& a, const Triangle& b, SeparatingAxis& best) noexcept;

/// The direction of the shortest distance between two triangles that are apart, in plain doubles, and the gap along it. Of triangles that
/// are apart by more than `far` of their size it may be another that does nearly as well. `best`: known already.
void separate_widest(const Triangle& a, const Triangle& b, double far, SeparatingAxis& best) noexcept;

/// From a to b the shortest of those from a corner of one to the closest point of the other.
[[nodiscard]] Vec3 from_closest_corner(const Triangle& a, const Triangle& b) noexcept;

}  // namespace snug::ccd
