#pragma once

#include "query/pairs/obb/lanes/frames.hpp"

// Boxes against boxes: the six axes that are their own. The nine cross products would spare about a tenth of the tests
// and cost more than that.

namespace snug::lanes::SNUG_LANES {

/// Has the compiler read again what it has read before: eight boxes do not fit into the registers, and it would copy them to
/// the stack where it can as well use them where they are.
inline void read_again() noexcept { asm volatile("" : : : "memory"); }

/// Gaps between the projections of eight boxes and of child `lane` of `other`, on the axes of the eight and on those of the
/// one; negative where they overlap. `between`: from the centres of the eight to that of the one, or back. along_one(j, gap)
/// takes the latter.
template <class AlongOne>
inline void gaps_between(const Boxes& eight, const Boxes& other, std::uint32_t lane, const Float8 between[3],
                         Float8 along_eight[3], AlongOne&& along_one) noexcept {
  const float* const one = numbers_of(other) + lane;
  for (int i = 0; i < 3; ++i) along_eight[i] = abs(dot(eight.axis[i], between)) - eight.half[i];
#pragma GCC unroll 3
  for (int j = 0; j < 3; ++j) {
    read_again();
    const Float8 axis[3] = {Float8(one[8 * (3 * j)]), Float8(one[8 * (3 * j + 1)]), Float8(one[8 * (3 * j + 2)])};
    const Float8 half(one[8 * (12 + j)]);
    Float8 gap = abs(dot(axis, between)) - half;
    for (int i = 0; i < 3; ++i) {
      const Float8 m = abs(dot(eight.axis[i], axis));
      along_eight[i] = along_eight[i] - m * half;
      gap = gap - m * eight.half[i];
    }
    along_one(j, gap);
  }
}

/// The largest of them: positive only if the boxes are disjoint, give or take rounding.
inline Float8 separation(const Boxes& eight, const Boxes& other, std::uint32_t lane, const Float8 between[3]) noexcept {
  Float8 along_eight[3], widest(0.0F);
  gaps_between(eight, other, lane, between, along_eight,
               [&](int j, const Float8& gap) { widest = j == 0 ? gap : max(gap, widest); });
  return max(max(along_eight[0], along_eight[1]), max(along_eight[2], widest));
}

/// From the centres of eight boxes to that of another node's child; `offset` leads from the node of the eight to the other.
inline void between_centres(const Boxes& eight, const Boxes& other, std::uint32_t lane, const float offset[3],
                            Float8 between[3]) noexcept {
  const float* const centre = numbers_of(other) + 8 * 9 + lane;
  for (int i = 0; i < 3; ++i) between[i] = Float8(centre[8 * i] + offset[i]) - eight.centre[i];
}

}  // namespace snug::lanes::SNUG_LANES
