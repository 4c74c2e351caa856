#include "assembly/robot/joint_search.hpp"
#include "assembly/robot/joint_values.hpp"

#include <snug/robot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace snug {

namespace {

Result<void, JointError> check_request(const Robot& robot, std::span<const JointSpan> spans,
                                       const JointCheckOptions& options) {
  using Code = JointError::Code;
  const auto refuse = [&](Code code, std::uint32_t joint) {
    const std::string name = joint < robot.joints.size() ? robot.joints[joint].name : std::string();
    return Failure{JointError{code, joint, name}};
  };
  if (!(options.clearance >= 0 && std::isfinite(options.clearance)) ||
      !(options.tolerance > 0 && std::isfinite(options.tolerance)))
    return refuse(Code::bad_option, 0);
  std::vector<bool> named(robot.joints.size());
  std::vector<double> values = options.values.empty() ? rest_values(robot) : options.values;
  if (values.size() != robot.joints.size()) return refuse(Code::wrong_count, 0);
  for (const JointSpan& span : spans) {
    if (span.joint >= robot.joints.size()) return refuse(Code::no_such_joint, span.joint);
    if (named[span.joint]) return refuse(Code::named_twice, span.joint);
    named[span.joint] = true;
    const RobotJoint& joint = robot.joints[span.joint];
    if (joint.kind == JointKind::fixed || joint.mimic) return refuse(Code::not_free, span.joint);
    if (!(span.lower <= span.upper)) return refuse(Code::not_in_order, span.joint);
  }
  // What a mimic makes of values is linear: if it is sound at both ends, it is between.
  for (const bool upper : {false, true}) {
    for (const JointSpan& span : spans) values[span.joint] = upper ? span.upper : span.lower;
    if (auto sound = robot::check_values(robot, values); !sound) return sound;
  }
  return {};
}

}  // namespace

Result<JointReport, JointError> check_joints(const Robot& robot, std::span<const JointSpan> spans,
                                             const JointCheckOptions& options) {
  if (auto sound = check_request(robot, spans, options); !sound) return Failure{sound.error()};
  return robot::JointSearch(robot, spans, options).run();
}

std::uint64_t JointReport::count_of(Verdict verdict) const noexcept {
  return static_cast<std::uint64_t>(std::ranges::count(findings, verdict, &JointFinding::verdict));
}

std::string_view to_string(ExcludedLinks::Why why) noexcept {
  constexpr std::array<std::string_view, 3> k_words{"adjacent", "rigid", "ignored"};
  return k_words[static_cast<std::size_t>(why)];
}

}  // namespace snug
