#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <array>

namespace snug::geometry {

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

/// Where a rotation and a translation put v, by the formula of Pose::apply().
[[nodiscard]] inline Point3 transformed(const std::array<double, 9>& r, const Vec3& t, const Point3& v) noexcept {
  return {((r[0] * v.x + r[1] * v.y) + r[2] * v.z) + t.x, ((r[3] * v.x + r[4] * v.y) + r[5] * v.z) + t.y,
          ((r[6] * v.x + r[7] * v.y) + r[8] * v.z) + t.z};
}

/// The formula turns -0 into 0 where it adds products that are 0; by the identity everything stays as it is.
[[nodiscard]] inline bool is_identity(const std::array<double, 9>& r, const Vec3& t) noexcept {
  return r[0] == 1 && t.x == 0 && r == std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1} && t == Vec3{};
}

}  // namespace snug::geometry
