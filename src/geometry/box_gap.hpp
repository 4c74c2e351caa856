#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <algorithm>
#include <cmath>

namespace snug::geometry {

/// No more than the distance of anything in the boxes, although computed in doubles.
inline double gap_below(const Aabb& a, const Aabb& b) noexcept {
  double squared = 0, largest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double gap = std::max({0.0, b.lo[axis] - a.hi[axis], a.lo[axis] - b.hi[axis]});
    squared += gap * gap;
    largest = std::max(largest, gap);
  }
  // Squares of huge gaps overflow, those of tiny ones lose their digits; one axis alone is a bound as well.
  return (squared > 0x1p-900 && std::isfinite(squared) ? std::sqrt(squared) : largest) * (1 - 0x1p-48);
}

}  // namespace snug::geometry
