#pragma once

#include "support/rooms.hpp"

#include <algorithm>
#include <cstdint>

// The fixed-point overlap test of Raabe et al. (2006), as corrected in docs/papers/raabe.md: the golden model that hardware
// is held to, bit for bit. Small pure functions on plain numbers; docs/proof.md proves that they never separate DOPs that
// overlap.

namespace snug::query::fixed {

__extension__ using int128 = __int128;

/// Bits behind the binary point. Words of the chip are W bits wide with b = c = z = W - 1.
struct Format {
  unsigned b = 17;  ///< of coefficients: 2^-b to 1
  unsigned c = 17;  ///< of mapping vectors
  unsigned z = 17;  ///< of offsets

  [[nodiscard]] static constexpr Format of_width(unsigned width) noexcept { return {width - 1, width - 1, width - 1}; }
  /// Within what the proof and 128-bit sums cover.
  [[nodiscard]] static constexpr Format within_limits(unsigned b, unsigned c, unsigned z) noexcept {
    const auto limited = [](unsigned bits) { return bits < 4 ? 4U : bits > 40 ? 40U : bits; };
    const Format f{limited(b), limited(c), limited(z)};
    return {f.b, f.c, f.z < f.b + f.c ? f.z : f.b + f.c};
  }
  /// Do coefficients and weights fit 32 bits and sums 64? Those of W = 18 do; those of W = 35 need 64 and 128. A sum of
  /// Eq. 22 needs b + c bits and six more: three for magnitudes up to 8, sign and room for the offset.
  [[nodiscard]] constexpr bool narrow() const noexcept { return b <= 31 && c <= 31 && b + c + 6 <= 64; }
  friend constexpr bool operator==(const Format&, const Format&) = default;
};

/// What is added to a coefficient before it is rounded up, in units of its last place: more than doubles can have lost in
/// computing it, so that the rounded one is always the larger.
inline constexpr double k_guard = 0x1p-8;

/// 2^exponent, |exponent| < 64. Not std::ldexp(), which is a call: an axis takes nine of these.
[[nodiscard]] constexpr double power_of_two(int exponent) noexcept {
  const auto power = static_cast<double>(std::uint64_t{1} << (exponent < 0 ? -exponent : exponent));
  return exponent < 0 ? 1 / power : power;
}

/// One number for a scenario, by which coefficients are multiplied. With 2^b - 1 the guard would carry the largest
/// coefficient beyond b bits.
[[nodiscard]] constexpr double scale_for(double largest_coefficient, unsigned b) noexcept {
  return (power_of_two(static_cast<int>(b)) - 2) / largest_coefficient;
}

/// The smallest whole number not below x, which must fit; std::ceil() is a call on machines that have no instruction for it.
/// Counted up in doubles, since compilers know how to do that for several at once.
template <class Word>
[[nodiscard]] constexpr Word rounded_up(double x) noexcept {
  const auto toward_zero = static_cast<double>(static_cast<Word>(x));
  return static_cast<Word>(toward_zero + (x > toward_zero ? 1.0 : 0.0));
}
/// The greatest not above x.
[[nodiscard]] constexpr std::int64_t rounded_down(double x) noexcept {
  const auto toward_zero = static_cast<std::int64_t>(x);
  return toward_zero - (x < static_cast<double>(toward_zero) ? 1 : 0);
}

/// a' of a coefficient a, |a| <= largest: rounded up, guard included. |a'| < 2^b.
template <class Word = std::int64_t>
[[nodiscard]] constexpr Word coefficient(double a, double scale) noexcept {
  return rounded_up<Word>(a * scale + k_guard);
}

/// P' of a component of a mapping vector, which lies in [-1, 0] but for a few roundings: rounded down.
[[nodiscard]] constexpr std::int64_t mapping(double weight, unsigned c) noexcept {
  const double one = power_of_two(static_cast<int>(c));
  return rounded_down(std::clamp(weight * one, -one, 0.0));
}

/// p' of an offset, in the unit of the coefficients: rounded down and held within [-4, 4), beyond which it decides alone.
[[nodiscard]] constexpr std::int64_t offset(double p, double scale, const Format& format) noexcept {
  // p scale is in units of 2^-b; so large that it is infinite, it is held like any other.
  const double units = p * scale * power_of_two(static_cast<int>(format.z) - static_cast<int>(format.b));
  const double four = 4 * power_of_two(static_cast<int>(format.z));
  return rounded_down(std::clamp(units, -four, four - 1));
}

}  // namespace snug::query::fixed
