#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <cmath>

namespace snug::query {

/// True if normal . p lies beyond the offset, above it for side 1 and below for -1, by more than rounding can make of it. No
/// number is beyond anything.
inline bool beyond(const Vec3& normal, double offset, const Point3& p, double side) noexcept {
  const double x = normal.x * p.x, y = normal.y * p.y, z = normal.z * p.z;
  const double height = side * (((x + y) + z) - offset);
  // Three products, two sums and a difference: less than 6 units of 2^-53 of the magnitudes, underflow aside.
  const double magnitudes = ((std::abs(x) + std::abs(y)) + std::abs(z)) + std::abs(offset);
  return height > 0x1p-50 * magnitudes + 0x1p-1000;
}

}  // namespace snug::query
