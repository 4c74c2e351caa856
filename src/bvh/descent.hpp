#pragma once

#include "support/rooms.hpp"

namespace snug::bvh {

/// Which of two nodes is opened where both may hold what is looked for: the larger one that is no leaf. Precondition: not both are leaves.
template <class Size>
[[nodiscard]] constexpr bool opens_first(bool leaf_a, Size size_a, bool leaf_b, Size size_b) noexcept {
  return leaf_b || (!leaf_a && size_a >= size_b);
}

}  // namespace snug::bvh
