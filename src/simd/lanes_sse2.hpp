#pragma once

#include "simd/packing.hpp"
#include "support/rooms.hpp"

#include <emmintrin.h>
#include <cstdint>

// Eight floats as two SSE registers: what every x86-64 machine has.

namespace snug::lanes::sse2 {

struct Float8 {
  __m128 lo, hi;

  Float8() = default;
  Float8(__m128 low, __m128 high) noexcept : lo(low), hi(high) {}
  explicit Float8(float all) noexcept : lo(_mm_set1_ps(all)), hi(lo) {}
  static Float8 load(const float* from) noexcept { return {_mm_loadu_ps(from), _mm_loadu_ps(from + 4)}; }
  static Float8 load(const std::int16_t* from) noexcept {
    const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    // Each short in the upper half of a word, then shifted down with its sign.
    const __m128i low = _mm_srai_epi32(_mm_unpacklo_epi16(eight, eight), 16);
    const __m128i high = _mm_srai_epi32(_mm_unpackhi_epi16(eight, eight), 16);
    return {_mm_cvtepi32_ps(low), _mm_cvtepi32_ps(high)};
  }
  static Float8 load(const std::int8_t* from) noexcept {
    const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    const __m128i wide = _mm_unpacklo_epi8(eight, eight);
    const __m128i low = _mm_srai_epi32(_mm_unpacklo_epi16(wide, wide), 24);
    const __m128i high = _mm_srai_epi32(_mm_unpackhi_epi16(wide, wide), 24);
    return {_mm_cvtepi32_ps(low), _mm_cvtepi32_ps(high)};
  }
  static Float8 load_bits(const std::uint32_t* from) noexcept {
    const __m128i* const fours = reinterpret_cast<const __m128i*>(from);
    return {_mm_castsi128_ps(_mm_loadu_si128(fours)), _mm_castsi128_ps(_mm_loadu_si128(fours + 1))};
  }
  void store(float* to) const noexcept {
    _mm_storeu_ps(to, lo);
    _mm_storeu_ps(to + 4, hi);
  }

  friend Float8 operator+(const Float8& a, const Float8& b) noexcept {
    return {_mm_add_ps(a.lo, b.lo), _mm_add_ps(a.hi, b.hi)};
  }
  friend Float8 operator-(const Float8& a, const Float8& b) noexcept {
    return {_mm_sub_ps(a.lo, b.lo), _mm_sub_ps(a.hi, b.hi)};
  }
  friend Float8 operator*(const Float8& a, const Float8& b) noexcept {
    return {_mm_mul_ps(a.lo, b.lo), _mm_mul_ps(a.hi, b.hi)};
  }
  friend Float8 operator/(const Float8& a, const Float8& b) noexcept {
    return {_mm_div_ps(a.lo, b.lo), _mm_div_ps(a.hi, b.hi)};
  }
};

inline Float8 min(const Float8& a, const Float8& b) noexcept {
  return {_mm_min_ps(a.lo, b.lo), _mm_min_ps(a.hi, b.hi)};
}
inline Float8 max(const Float8& a, const Float8& b) noexcept {
  return {_mm_max_ps(a.lo, b.lo), _mm_max_ps(a.hi, b.hi)};
}
inline Float8 abs(const Float8& a) noexcept {
  const __m128 sign = _mm_set1_ps(-0.0F);
  return {_mm_andnot_ps(sign, a.lo), _mm_andnot_ps(sign, a.hi)};
}
inline Float8 sqrt(const Float8& a) noexcept { return {_mm_sqrt_ps(a.lo), _mm_sqrt_ps(a.hi)}; }
inline Float8 copysign(const Float8& a, const Float8& s) noexcept {
  const __m128 sign = _mm_set1_ps(-0.0F);
  return {_mm_or_ps(_mm_andnot_ps(sign, a.lo), _mm_and_ps(sign, s.lo)),
          _mm_or_ps(_mm_andnot_ps(sign, a.hi), _mm_and_ps(sign, s.hi))};
}
/// Some of eight lanes.
struct Mask8 {
  __m128 lo, hi;
};
inline Mask8 operator&(const Mask8& a, const Mask8& b) noexcept {
  return {_mm_and_ps(a.lo, b.lo), _mm_and_ps(a.hi, b.hi)};
}
inline Mask8 operator|(const Mask8& a, const Mask8& b) noexcept {
  return {_mm_or_ps(a.lo, b.lo), _mm_or_ps(a.hi, b.hi)};
}
inline Mask8 above(const Float8& a, const Float8& b) noexcept {
  return {_mm_cmpgt_ps(a.lo, b.lo), _mm_cmpgt_ps(a.hi, b.hi)};
}
inline unsigned lanes_in(const Mask8& mask) noexcept {
  return static_cast<unsigned>(_mm_movemask_ps(mask.lo)) | static_cast<unsigned>(_mm_movemask_ps(mask.hi)) << 4;
}
inline unsigned greater(const Float8& a, const Float8& b) noexcept { return lanes_in(above(a, b)); }
inline float least(const Float8& a) noexcept {
  __m128 m = _mm_min_ps(a.lo, a.hi);
  m = _mm_min_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_min_ss(m, _mm_shuffle_ps(m, m, 1)));
}
inline float greatest(const Float8& a) noexcept {
  __m128 m = _mm_max_ps(a.lo, a.hi);
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_max_ss(m, _mm_shuffle_ps(m, m, 1)));
}
inline float sum(const Float8& a) noexcept {
  __m128 s = _mm_add_ps(a.lo, a.hi);
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
}
inline Float8 choose(const Float8& a, const Float8& b, const Float8& x, const Float8& y) noexcept {
  const __m128 lo = _mm_cmpgt_ps(a.lo, b.lo), hi = _mm_cmpgt_ps(a.hi, b.hi);
  return {_mm_or_ps(_mm_and_ps(lo, x.lo), _mm_andnot_ps(lo, y.lo)),
          _mm_or_ps(_mm_and_ps(hi, x.hi), _mm_andnot_ps(hi, y.hi))};
}

/// Brings a set of lanes to the front; what follows them is open.
struct Packing {
  const std::uint8_t* order;

  explicit Packing(unsigned lanes) noexcept : order(k_packing.lane[lanes]) {}
  [[nodiscard]] Float8 packed(const Float8& a) const noexcept {
    float from[8], to[8];
    a.store(from);
    for (int i = 0; i < 8; ++i) to[i] = from[order[i]];
    return Float8::load(to);
  }
};

}  // namespace snug::lanes::sse2
