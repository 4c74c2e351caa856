#pragma once

#include "support/rooms.hpp"

#include <immintrin.h>
#include <cstdint>

namespace snug::lanes::avx2 {

inline __m256d positive_sums(const double* a, const double* b) noexcept {
  return _mm256_cmp_pd(_mm256_add_pd(_mm256_load_pd(a), _mm256_load_pd(b)), _mm256_setzero_pd(), _CMP_GT_OQ);
}
inline __m256d positive_sums(const std::int64_t* a, const std::int64_t* b) noexcept {
  const __m256i sum = _mm256_add_epi64(_mm256_load_si256(reinterpret_cast<const __m256i*>(a)),
                                       _mm256_load_si256(reinterpret_cast<const __m256i*>(b)));
  return _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_setzero_si256(), sum));
}

/// See the scalar one. Pointers to multiples of 32 bytes.
template <class Number>
inline bool any_sum_positive(const Number* a, const Number* b, const Number* c, const Number* d) noexcept {
  const __m256d low = _mm256_or_pd(positive_sums(a, b), positive_sums(c, d));
  const __m256d high = _mm256_or_pd(positive_sums(a + 4, b + 4), positive_sums(c + 4, d + 4));
  return _mm256_movemask_pd(_mm256_or_pd(low, high)) != 0;
}

}  // namespace snug::lanes::avx2
