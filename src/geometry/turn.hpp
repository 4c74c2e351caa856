#pragma once

#include <snug/vec.hpp>

#include <array>

namespace snug::detail {

/// A vector by a rotation's matrix, row-major.
[[nodiscard]] inline Vec3 turn(const std::array<double, 9>& r, const Vec3& v) noexcept {
  return {(r[0] * v.x + r[1] * v.y) + r[2] * v.z, (r[3] * v.x + r[4] * v.y) + r[5] * v.z,
          (r[6] * v.x + r[7] * v.y) + r[8] * v.z};
}
/// The same by the matrix transposed.
[[nodiscard]] inline Vec3 turn_back(const std::array<double, 9>& r, const Vec3& v) noexcept {
  return {(r[0] * v.x + r[3] * v.y) + r[6] * v.z, (r[1] * v.x + r[4] * v.y) + r[7] * v.z,
          (r[2] * v.x + r[5] * v.y) + r[8] * v.z};
}

}  // namespace snug::detail
