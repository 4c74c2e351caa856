#include "robot_page.hpp"

namespace snug::cli {

PageRobot page_robot(const Robot& robot, const JointRanges& ranges, const JointReport& report) {
  PageRobot out{.robot = &robot, .spans = ranges.spans, .instants = {ranges.values}, .cells = report.cells};
  std::uint32_t parts = 0;  // in the order of robot_assembly()
  for (const RobotLink& link : robot.links)
    out.part_of_link.push_back(link.bodies.empty() ? std::nullopt : std::optional(parts++));
  for (const JointFinding& finding : report.findings) {
    const auto a = out.part_of_link[finding.a], b = out.part_of_link[finding.b];
    if (!a || !b) continue;
    PageRobot::Pair pair{.a = *a, .b = *b, .shares = finding.shares};
    if (!finding.example.empty()) {
      pair.instant = static_cast<std::uint32_t>(out.instants.size());
      out.instants.push_back(finding.example);
    }
    out.pairs.push_back(pair);
  }
  return out;
}

}  // namespace snug::cli
