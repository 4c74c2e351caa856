#pragma once

#include "support/rooms.hpp"

#include <snug/pose.hpp>

namespace snug::model {

/// Turns by q, then by p. Like the others as it is: neither scaled to unit length nor given a positive scalar part.
[[nodiscard]] inline Quaternion product(const Quaternion& p, const Quaternion& q) noexcept {
  return {((p.w * q.w - p.x * q.x) - p.y * q.y) - p.z * q.z, ((p.w * q.x + p.x * q.w) + p.y * q.z) - p.z * q.y,
          ((p.w * q.y - p.x * q.z) + p.y * q.w) + p.z * q.x, ((p.w * q.z + p.x * q.y) - p.y * q.x) + p.z * q.w};
}
[[nodiscard]] inline Quaternion conjugate(const Quaternion& q) noexcept { return {q.w, -q.x, -q.y, -q.z}; }
[[nodiscard]] inline Quaternion negated(const Quaternion& q) noexcept { return {-q.w, -q.x, -q.y, -q.z}; }
[[nodiscard]] inline Vec3 vector_part(const Quaternion& q) noexcept { return {q.x, q.y, q.z}; }
[[nodiscard]] inline double dot(const Quaternion& p, const Quaternion& q) noexcept {
  return (p.w * q.w + p.x * q.x) + (p.y * q.y + p.z * q.z);
}
/// The square of their distance on the unit sphere's chord.
[[nodiscard]] inline double squared_chord(const Quaternion& p, const Quaternion& q) noexcept {
  const Quaternion d{p.w - q.w, p.x - q.x, p.y - q.y, p.z - q.z};
  return dot(d, d);
}

}  // namespace snug::model
