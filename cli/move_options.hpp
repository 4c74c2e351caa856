#pragma once

#include "length.hpp"
#include "options.hpp"

#include <snug/query.hpp>
#include <snug/verdict.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snug::cli {

/// What `snug move` was asked, for both kinds of input.
struct MoveOptions {
  InputOptions inputs;
  OutputOptions outputs;
  std::string motion;               ///< ways of parts
  std::vector<std::string> steps;   ///< or these, one after another
  std::vector<std::string> joints;  ///< ranges of a robot's joints
  std::string clearance, touch_gap, touch_overlap, tolerance;
  std::string fail_on = "clash";
  bool gaps = false, moving_only = false, adjacent = false, visual = false;
  std::vector<std::string> ignored, packages;
  std::string max_poses, max_pieces;
  unsigned threads = hardware_threads();
  std::string output, html;
};

/// Parts along the ways of a motion file.
[[nodiscard]] int run_move_path(const MoveOptions& options);
/// A robot within the ranges of its joints.
[[nodiscard]] int run_move_joints(const MoveOptions& options);

/// The least grave verdict that counts as a finding, if any does.
[[nodiscard]] std::optional<Verdict> move_threshold(const MoveOptions& options);

inline constexpr std::string_view k_fail_on_not_firm = "not-firm";

}  // namespace snug::cli
