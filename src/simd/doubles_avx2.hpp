#pragma once

#include "support/rooms.hpp"

#include <immintrin.h>

// Four doubles in one AVX register. Fused operations serve for errors of products alone, which are exact by any means: all
// instruction sets give the same bits.

namespace snug::lanes::avx2 {

struct FourDoubles {
  __m256d v;

  FourDoubles(__m256d all) noexcept : v(all) {}
  explicit FourDoubles(double all) noexcept : v(_mm256_set1_pd(all)) {}
  FourDoubles(double a, double b, double c, double d) noexcept : v(_mm256_setr_pd(a, b, c, d)) {}
  void store(double* to) const noexcept { _mm256_store_pd(to, v); }
};

inline FourDoubles operator+(const FourDoubles& a, const FourDoubles& b) noexcept { return _mm256_add_pd(a.v, b.v); }
inline FourDoubles operator-(const FourDoubles& a, const FourDoubles& b) noexcept { return _mm256_sub_pd(a.v, b.v); }
inline FourDoubles operator*(const FourDoubles& a, const FourDoubles& b) noexcept { return _mm256_mul_pd(a.v, b.v); }
inline FourDoubles abs(const FourDoubles& a) noexcept { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a.v); }
inline FourDoubles yzx(const FourDoubles& a) noexcept { return _mm256_permute4x64_pd(a.v, _MM_SHUFFLE(3, 0, 2, 1)); }
inline FourDoubles next_corners(const FourDoubles& a) noexcept {
  return _mm256_permute4x64_pd(a.v, _MM_SHUFFLE(2, 0, 2, 1));
}
inline FourDoubles first_at_last(const FourDoubles& a, const FourDoubles& b) noexcept {
  return _mm256_blend_pd(a.v, _mm256_permute4x64_pd(b.v, 0), 8);
}
inline unsigned greater(const FourDoubles& a, const FourDoubles& b) noexcept {
  return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ)));
}
inline FourDoubles product_error(const FourDoubles& a, const FourDoubles& b, const FourDoubles& product) noexcept {
  return _mm256_fmsub_pd(a.v, b.v, product.v);
}
inline double product_error(double a, double b, double product) noexcept { return __builtin_fma(a, b, -product); }

}  // namespace snug::lanes::avx2
