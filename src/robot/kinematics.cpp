#include "support/assert.hpp"

#include <snug/robot.hpp>

#include <algorithm>

namespace snug {

namespace {

/// How the joint moves its child away from its origin.
Pose moved_by(const RobotJoint& joint, double value) {
  switch (joint.kind) {
    case JointKind::fixed:
      break;
    case JointKind::revolute:
    case JointKind::continuous:
      return rotation(joint.axis, value);
    case JointKind::prismatic:
      return translation(joint.axis.x * value, joint.axis.y * value, joint.axis.z * value);
  }
  return {};
}

}  // namespace

std::vector<Pose> link_poses(const Robot& robot, std::span<const double> values) {
  SNUG_ASSERT(values.size() == robot.joints.size());
  std::vector<Pose> poses(robot.links.size());
  for (const std::uint32_t id : robot.order) {
    const RobotJoint& joint = robot.joints[id];
    const double value =
        joint.mimic ? joint.mimic->multiplier * values[joint.mimic->joint] + joint.mimic->offset : values[id];
    poses[joint.child] = compose(poses[joint.parent], compose(joint.origin, moved_by(joint, value)));
  }
  return poses;
}

std::vector<double> rest_values(const Robot& robot) {
  std::vector<double> values;
  for (const RobotJoint& joint : robot.joints) values.push_back(std::clamp(0.0, joint.lower, joint.upper));
  return values;
}

}  // namespace snug
