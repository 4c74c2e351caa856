#pragma once

#include "simd/packing.hpp"
#include "support/rooms.hpp"

#include <immintrin.h>
#include <cstdint>

// Eight floats in one AVX register. To be included where code for AVX2 is allowed (see avx2.cpp). No fused operations: all
// instruction sets give the same bits.

namespace snug::lanes::avx2 {

struct Float8 {
  __m256 v;

  Float8() = default;
  Float8(__m256 all) noexcept : v(all) {}
  explicit Float8(float all) noexcept : v(_mm256_set1_ps(all)) {}
  static Float8 load(const float* from) noexcept { return _mm256_loadu_ps(from); }
  static Float8 load(const std::int16_t* from) noexcept {
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
  }
  static Float8 load(const std::int8_t* from) noexcept {
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
  }
  static Float8 load_bits(const std::uint32_t* from) noexcept {
    return _mm256_castsi256_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  }
  void store(float* to) const noexcept { _mm256_storeu_ps(to, v); }
};

inline Float8 operator+(const Float8& a, const Float8& b) noexcept { return _mm256_add_ps(a.v, b.v); }
inline Float8 operator-(const Float8& a, const Float8& b) noexcept { return _mm256_sub_ps(a.v, b.v); }
inline Float8 operator*(const Float8& a, const Float8& b) noexcept { return _mm256_mul_ps(a.v, b.v); }
inline Float8 operator/(const Float8& a, const Float8& b) noexcept { return _mm256_div_ps(a.v, b.v); }

inline Float8 min(const Float8& a, const Float8& b) noexcept { return _mm256_min_ps(a.v, b.v); }
inline Float8 max(const Float8& a, const Float8& b) noexcept { return _mm256_max_ps(a.v, b.v); }
inline Float8 abs(const Float8& a) noexcept { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), a.v); }
inline Float8 sqrt(const Float8& a) noexcept { return _mm256_sqrt_ps(a.v); }
inline Float8 copysign(const Float8& a, const Float8& s) noexcept {
  const __m256 sign = _mm256_set1_ps(-0.0F);
  return _mm256_or_ps(_mm256_andnot_ps(sign, a.v), _mm256_and_ps(sign, s.v));
}
/// Some of eight lanes.
struct Mask8 {
  __m256 v;
};
inline Mask8 operator&(const Mask8& a, const Mask8& b) noexcept { return {_mm256_and_ps(a.v, b.v)}; }
inline Mask8 operator|(const Mask8& a, const Mask8& b) noexcept { return {_mm256_or_ps(a.v, b.v)}; }
inline Mask8 above(const Float8& a, const Float8& b) noexcept { return {_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ)}; }
inline unsigned lanes_in(const Mask8& mask) noexcept { return static_cast<unsigned>(_mm256_movemask_ps(mask.v)); }
inline unsigned greater(const Float8& a, const Float8& b) noexcept { return lanes_in(above(a, b)); }
inline float least(const Float8& a) noexcept {
  __m128 m = _mm_min_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  m = _mm_min_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_min_ss(m, _mm_shuffle_ps(m, m, 1)));
}
inline float greatest(const Float8& a) noexcept {
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_max_ss(m, _mm_shuffle_ps(m, m, 1)));
}
inline float sum(const Float8& a) noexcept {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
}
inline Float8 choose(const Float8& a, const Float8& b, const Float8& x, const Float8& y) noexcept {
  return _mm256_blendv_ps(y.v, x.v, _mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ));
}

/// Brings a set of lanes to the front; what follows them is open.
struct Packing {
  __m256i order;

  explicit Packing(unsigned lanes) noexcept
      : order(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(k_packing.lane[lanes])))) {}
  [[nodiscard]] Float8 packed(const Float8& a) const noexcept { return _mm256_permutevar8x32_ps(a.v, order); }
};

}  // namespace snug::lanes::avx2
