#pragma once

#include <snug/robot.hpp>

#include <span>

namespace snug::robot {

/// May the joint have this value? Of fixed joints none matters.
[[nodiscard]] bool is_value(const RobotJoint& joint, double value) noexcept;
/// As many as there are joints, and each one that matters a value of its joint.
[[nodiscard]] Result<void, JointError> check_values(const Robot& robot, std::span<const double> values);

}  // namespace snug::robot
