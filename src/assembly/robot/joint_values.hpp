#pragma once

#include "support/rooms.hpp"

#include <snug/robot.hpp>

#include <span>

namespace snug::robot {

/// May the joint have this value? Of fixed joints none matters.
[[nodiscard]] bool is_value(const RobotJoint& joint, double value) noexcept;
/// As many as there are joints, and each one that matters a value of its joint.
[[nodiscard]] Result<void, JointError> check_values(const Robot& robot, std::span<const double> values);
/// Poses the children of these joints, each one listed behind that which holds its parent, in all of the robot's links. The
/// values must be sound; the root is where `poses` has it.
void pose_links(const Robot& robot, std::span<const std::uint32_t> joints, std::span<const double> values,
                std::span<Pose> poses);

}  // namespace snug::robot
