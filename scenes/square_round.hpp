#pragma once

#include "scenes/vectors.hpp"

#include <cstdint>

// Squares and circles with as many points as each other, so that the ring between them is a strip of quads: faces with
// round holes and round bosses.

namespace snug::scenes {

/// Point k of `count` (a multiple of 4) along a square of this half side, counter-clockwise from the corner (+, -).
[[nodiscard]] inline Vec3 on_square(std::uint32_t k, std::uint32_t count, double half) noexcept {
  const std::uint32_t per_side = count / 4, side = k % count / per_side;
  // Opposite sides have the same bits, so that squares side by side fit together.
  const double along = half * (2.0 * (k % per_side) - per_side) / per_side;
  switch (side) {
    case 0:
      return {half, along, 0};
    case 1:
      return {-along, half, 0};
    case 2:
      return {-half, -along, 0};
    default:
      return {along, -half, 0};
  }
}

/// Point k of `count` (a multiple of 8) along a circle, from the same direction as on_square().
[[nodiscard]] inline Vec3 on_round(std::uint32_t k, std::uint32_t count, double radius) noexcept {
  const auto [c, s] = on_circle((k + count - count / 8) % count, count);
  return {radius * c, radius * s, 0};
}

}  // namespace snug::scenes
