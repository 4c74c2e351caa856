#pragma once

#include <snug/robot.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace snug::cli {

/// What --joint and the limits of a robot make of its joints.
struct JointRanges {
  std::vector<JointSpan> spans;    ///< in the order of the options, or of the robot
  std::vector<double> values;      ///< of the joints that rest
  std::vector<std::uint32_t> cut;  ///< joints whose range was cut to their limits
};

/// "elbow=0..120deg", "lift=0..300mm", "wrist=45deg", "wrist". Ends the program (wrong usage) for joints that are not there,
/// units that do not fit and ranges that lie outside of the limits. Without options all joints take the range of their limits.
[[nodiscard]] JointRanges joint_ranges(const Robot& robot, const std::vector<std::string>& options);

}  // namespace snug::cli
