#pragma once

#include "joint_option.hpp"

#include <snug/page.hpp>

namespace snug::cli {

/// What lets a page move the joints, and shows an example of each finding. Its instants are those of the playback: the
/// robot at rest, then the example of each finding that has one.
[[nodiscard]] PageRobot page_robot(const Robot& robot, const JointRanges& ranges, const JointReport& report);

}  // namespace snug::cli
