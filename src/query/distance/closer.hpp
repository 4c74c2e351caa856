#pragma once

#include "support/rooms.hpp"

#include <snug/distance.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace snug::query {

/// A distance to 41 bits. Parallel faces, and triangles that share an edge, are often equally close but for rounding; rounding
/// should not choose among them, and it need not be known to choose. To the nearest: distances are round numbers more often
/// than not, and a hair less must be the same. What has the same digits differs by less than 1e-12.
[[nodiscard]] inline double first_digits(double distance) noexcept {
  // Subnormal numbers have fewer digits, and the smallest of them none but those that tell them from a touch.
  if (distance < 0x1p-1000) return distance;
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(distance) + 0x800) & ~std::uint64_t{0xFFF});
}
/// The smallest distance with the same first digits.
[[nodiscard]] inline double least_as_close(double distance) noexcept {
  if (distance < 0x1p-1000) return distance;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(first_digits(distance)) - 0x800);
}
/// How much distances of the same first digits may differ, relatively; generous.
inline constexpr double k_same_digits = 0x1p-38;

/// True if two triangles at this distance, or at a larger one, are to be preferred to the closest so far: by their first
/// digits, then by the smallest ids. A lower bound that is not closer tells that they need not be looked at.
[[nodiscard]] inline bool closer(double distance, std::uint32_t a, std::uint32_t b, const Distance& best) noexcept {
  if (best.triangle_a == Distance::k_no_triangle) return true;
  const double ours = first_digits(distance), theirs = first_digits(best.value);
  if (ours != theirs) return ours < theirs;
  return a != best.triangle_a ? a < best.triangle_a : b < best.triangle_b;
}

/// With the normal that its points tell, unless one is told already.
[[nodiscard]] inline Distance with_normal(Distance of) noexcept {
  if (of.value > 0 && of.found() && of.normal == Vec3{}) of.normal = (of.on_a - of.on_b).normalized();
  return of;
}

/// Any two triangles that are near enough will do.
[[nodiscard]] inline DistanceLimits limits_of(double clearance) noexcept {
  return {.ignore_beyond = clearance, .enough = clearance};
}

}  // namespace snug::query
