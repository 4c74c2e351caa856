#pragma once

#include "support/rooms.hpp"

#include <bit>
#include <cstdint>

namespace snug::geometry {

/// scale_to_one() for a length that is not negative and finite, read off its bits: rays ask for several, and calls of the C
/// library would take longer than their tests.
[[nodiscard]] inline double power_to_one(double extent) noexcept {
  if (!(extent > 0)) return 1;
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(extent) >> 52;
  const std::uint64_t within = exponent < 1 ? 1 : exponent > 2044 ? 2044 : exponent;
  return std::bit_cast<double>((2046 - within) << 52);
}

}  // namespace snug::geometry
