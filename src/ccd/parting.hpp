#pragma once

#include <snug/vec.hpp>

namespace snug::detail {

/// By how much two triangles are parted, from a to b along a direction of unit length; zero if they are not.
struct Parting {
  double gap = 0;
  Vec3 direction;
};

/// Takes a direction, of any length, if it parts them more than the one known.
void part_along(const Vec3& v, const Triangle& a, const Triangle& b, Parting& best) noexcept;

/// The direction of the shortest way between two triangles that are apart, in plain doubles, and what it parts them by. Of triangles that
/// are parted by more than `far` of their size it may be another that does nearly as well. `best`: known already.
void part_most(const Triangle& a, const Triangle& b, double far, Parting& best) noexcept;

}  // namespace snug::detail
