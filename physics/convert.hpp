#pragma once

#include <snug/vec.hpp>

#include <LinearMath/btTransform.h>

// Between our numbers, which are doubles, and Bullet's, which may be floats.

namespace snug::bullet {

[[nodiscard]] inline btVector3 to_bullet(const Vec3& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}
[[nodiscard]] inline Vec3 from_bullet(const btVector3& v) {
  return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

}  // namespace snug::bullet
