#pragma once

#include "support/rooms.hpp"

#include <emmintrin.h>
#include <cstdint>

namespace snug::lanes::sse2 {

inline __m128d positive_sums(const double* a, const double* b) noexcept {
  return _mm_cmpgt_pd(_mm_add_pd(_mm_load_pd(a), _mm_load_pd(b)), _mm_setzero_pd());
}
/// Whoever is positive has its sign bit set once its sign is changed: there is no comparison of 64-bit integers.
inline __m128d positive_sums(const std::int64_t* a, const std::int64_t* b) noexcept {
  const __m128i sum = _mm_add_epi64(_mm_load_si128(reinterpret_cast<const __m128i*>(a)),
                                    _mm_load_si128(reinterpret_cast<const __m128i*>(b)));
  return _mm_castsi128_pd(_mm_sub_epi64(_mm_setzero_si128(), sum));
}

/// See the scalar one. Pointers to multiples of 16 bytes.
template <class Number>
inline bool any_sum_positive(const Number* a, const Number* b, const Number* c, const Number* d) noexcept {
  __m128d any = _mm_or_pd(positive_sums(a, b), positive_sums(c, d));
  for (int i = 2; i < 8; i += 2)
    any = _mm_or_pd(any, _mm_or_pd(positive_sums(a + i, b + i), positive_sums(c + i, d + i)));
  return _mm_movemask_pd(any) != 0;
}

}  // namespace snug::lanes::sse2
