#pragma once

#include <snug/pose.hpp>
#include <snug/vec.hpp>

#include <cmath>

// What generators need of vectors and angles, made of operations that IEEE 754 fixes.

namespace snug::scenes {

inline constexpr double k_full_turn = 2 * 3.14159265358979323846;

[[nodiscard]] inline double dot(const Vec3& a, const Vec3& b) noexcept { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[nodiscard]] inline Vec3 cross(const Vec3& a, const Vec3& b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline double length(const Vec3& v) noexcept { return std::sqrt(dot(v, v)); }
/// `v` must not be zero.
[[nodiscard]] inline Vec3 unit(const Vec3& v) noexcept { return (1 / length(v)) * v; }

struct CosSin {
  double cos = 1, sin = 0;
};
/// By way of Pose, whose trigonometry has the same bits everywhere.
[[nodiscard]] inline CosSin cos_sin(double radians) noexcept {
  const Pose turn = rotation({0, 0, 1}, radians);
  return {turn.matrix()[0], turn.matrix()[3]};
}
/// Of the k-th of `count` equal parts of a full turn.
[[nodiscard]] inline CosSin on_circle(std::uint32_t k, std::uint32_t count) noexcept {
  return cos_sin(k_full_turn * k / count);
}

}  // namespace snug::scenes
