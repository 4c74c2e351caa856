#pragma once

#include "support/rooms.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace snug::geometry {

/// mantissa * 2^exponent, the mantissa odd or zero.
struct ScaledDouble {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

/// Every finite double is an integer times a power of two.
inline ScaledDouble decompose(double value) noexcept {
  constexpr std::uint64_t k_fraction_mask = (std::uint64_t{1} << 52) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int biased = static_cast<int>((bits >> 52) & 0x7ff);
  std::uint64_t magnitude = bits & k_fraction_mask;
  if (biased != 0) magnitude |= std::uint64_t{1} << 52;
  if (magnitude == 0) return {};
  const int trailing = std::countr_zero(magnitude);
  const auto mantissa = static_cast<std::int64_t>(magnitude >> trailing);
  return {(bits >> 63) != 0 ? -mantissa : mantissa, std::max(biased, 1) - 1075 + trailing};
}

}  // namespace snug::geometry
