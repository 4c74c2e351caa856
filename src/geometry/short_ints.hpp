#pragma once

#include "geometry/wide_int.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

// Determinants of coordinates that are integers of at most 61 bits in a common unit, as those of nearly every model are: few
// bits, no loops. Where they are not, wide_int.hpp goes on.

namespace snug::geometry {

/// One axis of several points in a unit of its own, a power of two, in which all are integers below 2^61.
template <std::size_t Points>
struct ShortAxis {
  std::array<std::int64_t, Points> at;

  /// False if there is no such unit, or it would be among the largest or smallest numbers.
  [[nodiscard]] bool assign(const std::array<double, Points>& coordinates) noexcept {
    double largest = 0;
    for (const double x : coordinates) largest = std::max(largest, std::abs(x));
    const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52) - 1023;
    if (exponent > 900 || exponent < -900) return largest == 0 ? (at = {}, true) : false;
    const auto scale = std::bit_cast<double>(static_cast<std::uint64_t>(60 - exponent + 1023) << 52);
    bool whole = true;
    for (std::size_t i = 0; i < Points; ++i) {
      SNUG_ASSERT(std::isfinite(coordinates[i]));
      const double scaled = coordinates[i] * scale;
      at[i] = static_cast<std::int64_t>(scaled);
      // What is so small beside the largest that scaling makes nothing of it is no integer either.
      whole &= (static_cast<double>(at[i]) == scaled) & ((scaled != 0) | (coordinates[i] == 0));
    }
    return whole;
  }
};

__extension__ using Int128 = __int128;

/// Sum of products of numbers below 2^126 and below 2^62, up to four of them.
class ProductSum {
 public:
  void add(Int128 a, std::int64_t b) noexcept {
    // a = high 2^64 + low with low not negative
    const auto low = static_cast<Int128>(static_cast<std::uint64_t>(a)) * b;
    high_ += static_cast<Int128>(static_cast<std::int64_t>(a >> 64)) * b + (low >> 64);
    low_ += static_cast<std::uint64_t>(low);
  }
  [[nodiscard]] int sign() const noexcept {
    const Int128 high = high_ + static_cast<Int128>(low_ >> 64);
    if (high != 0) return high < 0 ? -1 : 1;
    return static_cast<std::uint64_t>(low_) != 0 ? 1 : 0;
  }

 private:
  Int128 high_ = 0;
  uint128 low_ = 0;
};

using ShortRow = std::array<std::int64_t, 3>;  ///< differences, below 2^62

[[nodiscard]] inline int sign_det3(const ShortRow& x, const ShortRow& y, const ShortRow& z) noexcept {
  const auto minor = [&](std::size_t i, std::size_t j) {
    return static_cast<Int128>(x[i]) * y[j] - static_cast<Int128>(y[i]) * x[j];
  };
  ProductSum sum;
  sum.add(minor(0, 1), z[2]);
  sum.add(minor(1, 2), z[0]);
  sum.add(minor(2, 0), z[1]);
  return sum.sign();
}

}  // namespace snug::geometry
