#pragma once

#include "support/rooms.hpp"

#include <emmintrin.h>

// Four doubles as two SSE registers.

namespace snug::lanes::sse2 {

struct FourDoubles {
  __m128d lo, hi;

  FourDoubles(__m128d low, __m128d high) noexcept : lo(low), hi(high) {}
  explicit FourDoubles(double all) noexcept : lo(_mm_set1_pd(all)), hi(lo) {}
  FourDoubles(double a, double b, double c, double d) noexcept : lo(_mm_setr_pd(a, b)), hi(_mm_setr_pd(c, d)) {}
  void store(double* to) const noexcept {
    _mm_store_pd(to, lo);
    _mm_store_pd(to + 2, hi);
  }
};

inline FourDoubles operator+(const FourDoubles& a, const FourDoubles& b) noexcept {
  return {_mm_add_pd(a.lo, b.lo), _mm_add_pd(a.hi, b.hi)};
}
inline FourDoubles operator-(const FourDoubles& a, const FourDoubles& b) noexcept {
  return {_mm_sub_pd(a.lo, b.lo), _mm_sub_pd(a.hi, b.hi)};
}
inline FourDoubles operator*(const FourDoubles& a, const FourDoubles& b) noexcept {
  return {_mm_mul_pd(a.lo, b.lo), _mm_mul_pd(a.hi, b.hi)};
}
inline FourDoubles abs(const FourDoubles& a) noexcept {
  const __m128d sign = _mm_set1_pd(-0.0);
  return {_mm_andnot_pd(sign, a.lo), _mm_andnot_pd(sign, a.hi)};
}
inline FourDoubles yzx(const FourDoubles& a) noexcept {
  return {_mm_shuffle_pd(a.lo, a.hi, 1), _mm_shuffle_pd(a.lo, a.hi, 2)};
}
inline FourDoubles next_corners(const FourDoubles& a) noexcept {
  return {_mm_shuffle_pd(a.lo, a.hi, 1), _mm_shuffle_pd(a.lo, a.hi, 0)};
}
inline FourDoubles first_at_last(const FourDoubles& a, const FourDoubles& b) noexcept {
  return {a.lo, _mm_unpacklo_pd(a.hi, b.lo)};
}
inline unsigned greater(const FourDoubles& a, const FourDoubles& b) noexcept {
  const int low = _mm_movemask_pd(_mm_cmpgt_pd(a.lo, b.lo)), high = _mm_movemask_pd(_mm_cmpgt_pd(a.hi, b.hi));
  return static_cast<unsigned>(low | high << 2);
}
/// Of factors below 2^990, by Dekker (1971).
inline FourDoubles product_error(const FourDoubles& a, const FourDoubles& b, const FourDoubles& product) noexcept {
  const FourDoubles split(0x1p27 + 1), split_a = split * a, split_b = split * b;
  const FourDoubles a_hi = split_a - (split_a - a), b_hi = split_b - (split_b - b), a_lo = a - a_hi, b_lo = b - b_hi;
  return (((a_hi * b_hi - product) + a_hi * b_lo) + a_lo * b_hi) + a_lo * b_lo;
}
inline double product_error(double a, double b, double product) noexcept {
  return _mm_cvtsd_f64(product_error(FourDoubles(a), FourDoubles(b), FourDoubles(product)).lo);
}

}  // namespace snug::lanes::sse2
