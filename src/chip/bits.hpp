#pragma once

#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

// Numbers of any width one after the other in 64-bit words, from the lowest bit on.

namespace snug::chip {

using Words = std::vector<std::uint64_t>;

/// ORs a number into words that are 0 there; returns the bit behind it.
inline std::size_t put_bits(std::uint64_t* words, std::size_t at, std::uint64_t value, unsigned bits) noexcept {
  SNUG_ASSERT(bits >= 1 && bits <= 64);
  if (bits < 64) value &= (std::uint64_t{1} << bits) - 1;
  words[at / 64] |= value << at % 64;
  if (at % 64 + bits > 64) words[at / 64 + 1] |= value >> (64 - at % 64);
  return at + bits;
}

[[nodiscard]] inline std::uint64_t get_bits(const std::uint64_t* words, std::size_t at, unsigned bits) noexcept {
  SNUG_ASSERT(bits >= 1 && bits <= 64);
  std::uint64_t value = words[at / 64] >> at % 64;
  if (at % 64 + bits > 64) value |= words[at / 64 + 1] << (64 - at % 64);
  return bits < 64 ? value & ((std::uint64_t{1} << bits) - 1) : value;
}
[[nodiscard]] inline std::int64_t get_signed_bits(const std::uint64_t* words, std::size_t at, unsigned bits) noexcept {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return static_cast<std::int64_t>((get_bits(words, at, bits) ^ sign) - sign);
}

}  // namespace snug::chip
