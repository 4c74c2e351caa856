#pragma once

#include <snug/export.hpp>
#include <snug/path.hpp>
#include <snug/report.hpp>
#include <snug/robot.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

// What moving parts do, as documents and tables, under the rules of report.hpp.

namespace snug {

/// Where a report of moving parts comes from.
struct MoveSource {
  std::vector<InputFile> inputs;
  std::optional<InputFile> motion = std::nullopt;  ///< the file with the ways, if one was read
  std::vector<std::string> steps = {};             ///< or the steps, as the user wrote them
  std::vector<std::string> moving;                 ///< paths of the parts that have ways
  bool moving_only = false;  ///< findings of pairs that never move against each other were left out
  RunInfo run;
  std::optional<CadMeshing> cad = std::nullopt;
};

/// A `snug.move/1` document.
[[nodiscard]] SNUG_API std::string move_json(const Assembly& assembly, const PathOptions& options,
                                             const PathReport& report, const MoveSource& source);
/// What happens and when, with a bar of the time beside each finding, and everything needed to judge it.
[[nodiscard]] SNUG_API std::string move_text(const Assembly& assembly, const PathOptions& options,
                                             const PathReport& report, const MoveSource& source,
                                             const TextStyle& style = {});

/// Where a report of a robot's joints comes from.
struct JointsSource {
  InputFile input;
  std::vector<std::uint32_t> cut;  ///< joints whose span was cut to their limits
  RunInfo run;
};

/// A `snug.move.joints/1` document.
[[nodiscard]] SNUG_API std::string joints_json(const Robot& robot, std::span<const JointSpan> spans,
                                               const JointCheckOptions& options, const JointReport& report,
                                               const JointsSource& source);
[[nodiscard]] SNUG_API std::string joints_text(const Robot& robot, std::span<const JointSpan> spans,
                                               const JointCheckOptions& options, const JointReport& report,
                                               const JointsSource& source, const TextStyle& style = {});
/// Values of the joints that have spans, of those of all joints: "elbow 90deg, wrist 0deg".
[[nodiscard]] SNUG_API std::string joint_values_text(const Robot& robot, std::span<const JointSpan> spans,
                                                     std::span<const double> values);

}  // namespace snug
