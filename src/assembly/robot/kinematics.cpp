#include "assembly/robot/joint_values.hpp"
#include "support/assert.hpp"
#include "support/trig.hpp"

#include <snug/robot.hpp>

#include <algorithm>
#include <cmath>

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

double value_of(const Robot& robot, std::uint32_t id, std::span<const double> values) {
  const auto& mimic = robot.joints[id].mimic;
  return mimic ? mimic->multiplier * values[mimic->joint] + mimic->offset : values[id];
}

}  // namespace

namespace robot {

bool is_value(const RobotJoint& joint, double value) noexcept {
  if (joint.kind == JointKind::fixed) return true;
  // Comparisons with NaN are false.
  return std::abs(value) <= (joint.kind == JointKind::prismatic ? k_max_coordinate : support::k_max_angle);
}

Result<void, JointError> check_values(const Robot& robot, std::span<const double> values) {
  using Code = JointError::Code;
  if (values.size() != robot.joints.size()) return Failure{JointError{.code = Code::wrong_count}};
  // A Robot is anybody's to fill: its ids may name what is not there.
  const std::size_t links = robot.links.size(), joints = robot.joints.size();
  for (std::uint32_t i = 0; i < joints; ++i) {
    const RobotJoint& joint = robot.joints[i];
    if (joint.parent >= links || joint.child >= links || (joint.mimic && joint.mimic->joint >= joints))
      return Failure{JointError{.code = Code::no_such_joint, .joint = i, .name = joint.name}};
  }
  for (const std::uint32_t id : robot.order)
    if (id >= joints) return Failure{JointError{.code = Code::no_such_joint, .joint = id}};
  for (std::uint32_t i = 0; i < robot.joints.size(); ++i)
    if (!is_value(robot.joints[i], value_of(robot, i, values)))
      return Failure{JointError{.code = Code::not_a_value, .joint = i, .name = robot.joints[i].name}};
  return {};
}

void pose_links(const Robot& robot, std::span<const std::uint32_t> joints, std::span<const double> values,
                std::span<Pose> poses) {
  SNUG_ASSERT(values.size() == robot.joints.size() && poses.size() == robot.links.size());
  for (const std::uint32_t id : joints) {
    const RobotJoint& joint = robot.joints[id];
    SNUG_ASSERT(joint.parent < poses.size() && joint.child < poses.size());
    poses[joint.child] =
        compose(poses[joint.parent], compose(joint.origin, moved_by(joint, value_of(robot, id, values))));
  }
}

}  // namespace robot

std::string JointError::message() const {
  const std::string of = name.empty() ? "number " + std::to_string(joint) : "'" + name + "'";
  switch (code) {
    case Code::wrong_count:
      return "there are not as many values as joints";
    case Code::not_a_value:
      return "the value of joint " + of + " is not finite or out of range";
    case Code::no_such_joint:
      return "the robot does not have joint " + of + ", or a link or joint that it names";
    case Code::named_twice:
      return "two spans name the joint " + of;
    case Code::not_free:
      return "the joint " + of + " has no value of its own: it is fixed, or goes with another one";
    case Code::not_in_order:
      return "the bounds of the span of joint " + of + " are not in order, or no values of it";
    case Code::bad_option:
      return "clearances must be finite and not negative, tolerances and sags finite and above zero";
  }
  return {};
}

Result<void, JointError> link_poses(const Robot& robot, std::span<const double> values, std::vector<Pose>& poses) {
  if (auto sound = robot::check_values(robot, values); !sound) return sound;
  poses.assign(robot.links.size(), Pose{});
  robot::pose_links(robot, robot.order, values, poses);
  return {};
}

Result<std::vector<Pose>, JointError> link_poses(const Robot& robot, std::span<const double> values) {
  std::vector<Pose> poses;
  if (auto posed = link_poses(robot, values, poses); !posed) return Failure{posed.error()};
  return poses;
}

std::vector<double> rest_values(const Robot& robot) {
  std::vector<double> values;
  for (const RobotJoint& joint : robot.joints) values.push_back(std::clamp(0.0, joint.lower, joint.upper));
  return values;
}

}  // namespace snug
