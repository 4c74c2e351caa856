#pragma once

#include "geometry/turn.hpp"
#include "support/rooms.hpp"

#include <snug/pose.hpp>

namespace snug::model {

/// A point of the world in the frame of the pose.
[[nodiscard]] inline Point3 unposed(const Pose& pose, const Point3& world) noexcept {
  return turn_back(pose.matrix(), world - pose.translation());
}

}  // namespace snug::model
