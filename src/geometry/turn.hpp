#pragma once

#include <snug/pose.hpp>
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

/// A point of the world in the frame of the pose.
[[nodiscard]] inline Point3 unposed(const Pose& pose, const Point3& world) noexcept {
  return turn_back(pose.matrix(), world - pose.translation());
}

}  // namespace snug::detail
