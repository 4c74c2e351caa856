#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace snug::support {

/// Sorts by bits 32 to 32 + bits, of which there are at most 32; numbers that agree there stay in order. `other` is room
/// for as many, and may be exchanged for `numbers`.
inline void radix_sort(std::unique_ptr<std::uint64_t[]>& numbers, std::unique_ptr<std::uint64_t[]>& other,
                       std::size_t count, int bits) {
  constexpr int most_digit_bits = 11;
  const int passes = (bits + most_digit_bits - 1) / most_digit_bits, digit_bits = (bits + passes - 1) / passes;
  const std::uint64_t mask = (std::uint64_t{1} << digit_bits) - 1;
  std::array<std::uint32_t, std::size_t{1} << most_digit_bits> place;
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = 32 + pass * digit_bits;
    place.fill(0);
    for (std::size_t i = 0; i < count; ++i) ++place[numbers[i] >> shift & mask];
    std::uint32_t sum = 0;
    for (std::uint32_t& p : place) sum += std::exchange(p, sum);
    for (std::size_t i = 0; i < count; ++i) other[place[numbers[i] >> shift & mask]++] = numbers[i];
    std::swap(numbers, other);
  }
}

}  // namespace snug::support
