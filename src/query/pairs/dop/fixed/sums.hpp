#pragma once

#include "query/pairs/dop/fixed/format.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cstddef>

namespace snug::query::fixed {

/// The mapping of one body along one axis: three of its 24 coefficients and what they are multiplied by.
struct Mapping {
  std::array<std::uint8_t, 3> slab{};
  std::array<std::int64_t, 3> weight{};  ///< P', from -2^c to 0
};

/// What the host sends for one axis.
struct Axis {
  Mapping a, b;
  std::int64_t offset = 0;  ///< p'
};

/// ΣP'a' + sn(a'), in units of 2^-(b + c): the least of a body's image (Eq. 7), never too large. A weight was rounded down by
/// up to one unit, which for a coefficient below 0 makes the product too large by up to its magnitude.
template <class Sum, class Word>
[[nodiscard]] constexpr Sum lower_image(const std::array<Word, 3>& weight,
                                        const std::array<Word, 3>& coefficient) noexcept {
  Sum sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    sum += static_cast<Sum>(weight[i]) * static_cast<Sum>(coefficient[i]);
    sum += coefficient[i] < 0 ? coefficient[i] : 0;
  }
  return sum;
}

[[nodiscard]] constexpr std::size_t opposite_slab(std::size_t slab) noexcept {
  return slab < 12 ? slab + 12 : slab - 12;
}

/// The least of the image of a DOP, of coefficients as they lie in memory; `m` is a Mapping, with words as wide as they.
template <class Sum, class AnyMapping, class Word>
[[nodiscard]] constexpr Sum lower_image(const AnyMapping& m, const Word* dop) noexcept {
  return lower_image<Sum, Word>(m.weight, {dop[m.slab[0]], dop[m.slab[1]], dop[m.slab[2]]});
}
/// The greatest with its sign changed.
template <class Sum, class AnyMapping, class Word>
[[nodiscard]] constexpr Sum upper_image(const AnyMapping& m, const Word* dop) noexcept {
  return lower_image<Sum, Word>(
      m.weight, {dop[opposite_slab(m.slab[0])], dop[opposite_slab(m.slab[1])], dop[opposite_slab(m.slab[2])]});
}

/// p' in units of 2^-(b + c), for the first sum; for the second it is rounded the other way: ~p' = -(p' + 1).
template <class Sum>
[[nodiscard]] constexpr Sum offset_of_first(std::int64_t offset, const Format& f) noexcept {
  return static_cast<Sum>(offset) * (static_cast<Sum>(1) << (f.b + f.c - f.z));
}
template <class Sum>
[[nodiscard]] constexpr Sum offset_of_second(std::int64_t offset, const Format& f) noexcept {
  return static_cast<Sum>(~offset) * (static_cast<Sum>(1) << (f.b + f.c - f.z));
}

/// The two sums of Eq. 22, in units of 2^-(b + c).
template <class Sum>
struct Sums {
  Sum first, second;

  /// Greater than 0, not "sign bit clear" as printed: DOPs that just touch have a sum of 0 and are not separated.
  [[nodiscard]] constexpr bool separated() const noexcept { return first > 0 || second > 0; }
};

/// One axis test of the chip: 24 coefficients a' of each DOP.
template <class Sum>
[[nodiscard]] constexpr Sums<Sum> axis_sums(const Axis& axis, const std::int64_t* dop_a, const std::int64_t* dop_b,
                                            const Format& f) noexcept {
  return {lower_image<Sum>(axis.a, dop_a) + upper_image<Sum>(axis.b, dop_b) + offset_of_first<Sum>(axis.offset, f),
          lower_image<Sum>(axis.b, dop_b) + upper_image<Sum>(axis.a, dop_a) + offset_of_second<Sum>(axis.offset, f)};
}

}  // namespace snug::query::fixed
