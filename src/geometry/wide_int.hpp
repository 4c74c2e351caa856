#pragma once

#include "support/rooms.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace snug::geometry {

__extension__ using uint128 = unsigned __int128;

/// Signed integer of 64 N bits, two's complement, least significant limb first. Just what exact signs of determinants
/// need: place a mantissa, subtract, multiply, ask for the sign. Widths are chosen by the callers so that nothing wraps.
template <std::size_t N>
struct WideInt {
  std::array<std::uint64_t, N> limb{};

  /// mantissa * 2^shift. Precondition: the result fits.
  static constexpr WideInt place(std::int64_t mantissa, unsigned shift) noexcept {
    WideInt r;
    const std::uint64_t magnitude =
        mantissa < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(mantissa) : static_cast<std::uint64_t>(mantissa);
    const std::size_t at = shift / 64;
    const unsigned bits = shift % 64;
    if (magnitude == 0) return r;
    r.limb[at] = magnitude << bits;
    if (bits != 0 && at + 1 < N) r.limb[at + 1] = magnitude >> (64 - bits);
    return mantissa < 0 ? r.negated() : r;
  }

  [[nodiscard]] constexpr bool negative() const noexcept { return (limb[N - 1] >> 63) != 0; }

  [[nodiscard]] constexpr int sign() const noexcept {
    if (negative()) return -1;
    for (const std::uint64_t l : limb)
      if (l != 0) return 1;
    return 0;
  }

  [[nodiscard]] constexpr WideInt negated() const noexcept { return WideInt{} - *this; }

  friend constexpr WideInt operator-(const WideInt& a, const WideInt& b) noexcept {
    WideInt r;
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const uint128 d = static_cast<uint128>(a.limb[i]) - b.limb[i] - borrow;
      r.limb[i] = static_cast<std::uint64_t>(d);
      borrow = static_cast<std::uint64_t>(d >> 64) & 1U;
    }
    return r;
  }

  friend constexpr WideInt operator+(const WideInt& a, const WideInt& b) noexcept {
    WideInt r;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const uint128 s = static_cast<uint128>(a.limb[i]) + b.limb[i] + carry;
      r.limb[i] = static_cast<std::uint64_t>(s);
      carry = static_cast<std::uint64_t>(s >> 64);
    }
    return r;
  }
};

/// The full product: nothing is lost.
template <std::size_t N, std::size_t M>
constexpr WideInt<N + M> operator*(const WideInt<N>& a, const WideInt<M>& b) noexcept {
  const WideInt<N> x = a.negative() ? a.negated() : a;
  const WideInt<M> y = b.negative() ? b.negated() : b;
  WideInt<N + M> r;
  for (std::size_t i = 0; i < N; ++i) {
    if (x.limb[i] == 0) continue;  // wide operands are mostly zeros: a mantissa somewhere in a long field
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < M; ++j) {
      const uint128 t = static_cast<uint128>(x.limb[i]) * y.limb[j] + r.limb[i + j] + carry;
      r.limb[i + j] = static_cast<std::uint64_t>(t);
      carry = static_cast<std::uint64_t>(t >> 64);
    }
    r.limb[i + M] = carry;
  }
  return a.negative() != b.negative() ? r.negated() : r;
}

}  // namespace snug::geometry
