#pragma once

#include "support/rooms.hpp"

#include <snug/robot.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace snug::page {

/// The pieces of a range of one joint or two as a picture: a byte for each point, row by row, the second joint upwards.
struct JointMap {
  std::array<std::uint32_t, 2> size{};  ///< along the first and along the second joint
  std::string bytes;                    ///< '\0' not looked at, 1 free, 2 undecided, 3 colliding
};
/// Of pieces that share a point of the picture the gravest is seen. Empty unless there are one or two spans, and pieces.
[[nodiscard]] JointMap draw_joint_map(std::span<const JointSpan> spans, std::span<const JointCell> cells);

}  // namespace snug::page
