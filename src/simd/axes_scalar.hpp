#pragma once

#include "support/rooms.hpp"

#include <cstdint>

namespace snug::lanes::scalar {

/// Is a[i] + b[i] > 0 or c[i] + d[i] > 0 for any of eight i? A NaN is not. Integers may not overflow.
template <class Number>
inline bool any_sum_positive(const Number* a, const Number* b, const Number* c, const Number* d) noexcept {
  bool any = false;
  for (int i = 0; i < 8; ++i) any = any | (a[i] + b[i] > 0) | (c[i] + d[i] > 0);
  return any;
}

}  // namespace snug::lanes::scalar
