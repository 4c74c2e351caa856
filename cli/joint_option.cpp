#include "joint_option.hpp"

#include "errors.hpp"
#include "length.hpp"
#include "nearest.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace snug::cli {

namespace {

constexpr double k_degree = 0x1.1df46a2529d39p-6;  // pi / 180

[[noreturn]] void refuse_joint(std::string_view text, const std::string& why) {
  fail_usage("--joint: '" + std::string(text) + "': " + why);
}

struct Bound {
  double value = 0;
  std::string_view unit;
};

Bound parse_bound(std::string_view whole, std::string_view text) {
  Bound out;
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out.value);
  if (error != std::errc{} || !std::isfinite(out.value))
    refuse_joint(whole, "expected a number, found '" + std::string(text) + "'; write it like elbow=0..120deg");
  out.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (out.unit.starts_with(' ')) out.unit.remove_prefix(1);
  while (out.unit.ends_with(' ')) out.unit.remove_suffix(1);
  return out;
}

/// In radians or metres.
double in_unit(std::string_view whole, const RobotJoint& joint, const Bound& bound) {
  const bool slides = joint.kind == JointKind::prismatic;
  const std::string units = slides ? "it slides: give it a length (units: " + std::string(k_units_list) + ')'
                                   : "it turns: give it deg or rad";
  if (bound.unit.empty()) refuse_joint(whole, "there is no unit; " + units);
  if (slides) {
    const auto unit = parse_length_unit(bound.unit);
    if (!unit) refuse_joint(whole, "the unit '" + std::string(bound.unit) + "' does not fit the joint; " + units);
    return bound.value * metres_per(*unit);
  }
  if (bound.unit == "rad") return bound.value;
  if (bound.unit != "deg")
    refuse_joint(whole, "the unit '" + std::string(bound.unit) + "' does not fit the joint; " + units);
  return bound.value * k_degree;
}

std::string told(const RobotJoint& joint, double value) {
  char text[40];
  const bool slides = joint.kind == JointKind::prismatic;
  std::snprintf(text, sizeof text, "%.6g%s", slides ? value : value / k_degree, slides ? "m" : "deg");
  return text;
}

std::uint32_t joint_named(const Robot& robot, std::string_view whole, const std::string& name) {
  const auto found = robot.find_joint(name);
  if (!found) {
    std::vector<std::string> names;
    for (const RobotJoint& joint : robot.joints)
      if (joint.kind != JointKind::fixed) names.push_back(joint.name);
    refuse_joint(whole, "there is no joint '" + name + '\'' + did_you_mean(name, names));
  }
  const RobotJoint& joint = robot.joints[*found];
  if (joint.kind == JointKind::fixed) refuse_joint(whole, "the joint '" + name + "' is fixed");
  if (joint.mimic)
    refuse_joint(whole, "the joint '" + name + "' goes with '" + robot.joints[joint.mimic->joint].name +
                            "' and has no value of its own");
  return *found;
}

}  // namespace

JointRanges joint_ranges(const Robot& robot, const std::vector<std::string>& options) {
  JointRanges out{.spans = {}, .values = rest_values(robot), .cut = {}};
  if (options.empty()) {
    for (std::uint32_t i = 0; i < robot.joints.size(); ++i)
      if (robot.joints[i].kind != JointKind::fixed && !robot.joints[i].mimic)
        out.spans.push_back({i, robot.joints[i].lower, robot.joints[i].upper});
    return out;
  }
  std::vector<bool> named(robot.joints.size());
  for (const std::string& whole : options) {
    // Joints may have '=' in their names as parts have: the last one ends it.
    const std::size_t equals = whole.rfind('=');
    const std::string name = whole.substr(0, equals);
    const std::uint32_t id = joint_named(robot, whole, name);
    if (named[id]) refuse_joint(whole, "the joint '" + name + "' is named twice");
    named[id] = true;
    const RobotJoint& joint = robot.joints[id];
    if (equals == std::string::npos) {
      out.spans.push_back({id, joint.lower, joint.upper});
      continue;
    }
    const std::string_view values = std::string_view(whole).substr(equals + 1);
    const std::size_t dots = values.find("..");
    Bound upper = parse_bound(whole, dots == std::string_view::npos ? values : values.substr(dots + 2));
    Bound lower = dots == std::string_view::npos ? upper : parse_bound(whole, values.substr(0, dots));
    if (lower.unit.empty()) lower.unit = upper.unit;
    double from = in_unit(whole, joint, lower), to = in_unit(whole, joint, upper);
    if (from > to)
      refuse_joint(whole, "the range is the wrong way round: " + told(joint, from) + " is above " + told(joint, to));
    const bool turns_freely = joint.kind == JointKind::continuous;
    if (turns_freely && std::max(std::abs(from), std::abs(to)) > 1e5)
      refuse_joint(whole, "angles are limited to 100000 rad");
    if (!turns_freely) {
      if (from > joint.upper || to < joint.lower)
        refuse_joint(whole, "outside of the limits of the joint, " + told(joint, joint.lower) + " to " +
                                told(joint, joint.upper));
      if (from < joint.lower || to > joint.upper) out.cut.push_back(id);
      from = std::max(from, joint.lower), to = std::min(to, joint.upper);
    }
    if (dots == std::string_view::npos)
      out.values[id] = from;
    else
      out.spans.push_back({id, from, to});
  }
  return out;
}

}  // namespace snug::cli
