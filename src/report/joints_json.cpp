#include "report/json_document.hpp"
#include "report/json_parts.hpp"
#include "support/assert.hpp"

#include <snug/move_report.hpp>

#include <algorithm>

namespace snug {

namespace {

using report::JsonDocument;
using report::k_line;

/// Values of all joints that have one of their own, by name; null without.
void write_values(JsonDocument& json, const Robot& robot, const std::vector<double>& values) {
  if (values.empty()) return json.null();
  SNUG_ASSERT(values.size() == robot.joints.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < robot.joints.size(); ++i)
    if (robot.joints[i].kind != JointKind::fixed && !robot.joints[i].mimic) order.push_back(i);
  std::ranges::sort(order, {}, [&](std::size_t i) -> const std::string& { return robot.joints[i].name; });
  json.begin_object(k_line);
  for (const std::size_t i : order) json.key(robot.joints[i].name).value(values[i]);
  json.end_object();
}

void write_shares(JsonDocument& json, const JointShares& shares) {
  json.begin_object(k_line);
  json.fields("colliding", shares.colliding, "free", shares.free, "undecided", shares.undecided);
  json.key("undecided_because")
      .line("cancelled", shares.why.cancelled, "contact", shares.why.contact, "limit", shares.why.limit, "open_mesh",
            shares.why.open_mesh, "rounding", shares.why.rounding);
  json.key("undecided_colliding").value(shares.undecided_colliding);
  json.end_object();
}

void write_finding(JsonDocument& json, const Robot& robot, std::span<const JointSpan> spans,
                   const JointFinding& finding) {
  SNUG_ASSERT(finding.within.size() <= spans.size());
  json.begin_object();
  json.fields("a", robot.links[finding.a].name, "at_rest", finding.at_rest, "b", robot.links[finding.b].name);
  json.key("example");
  write_values(json, robot, finding.example);
  json.key("gap").value(finding.distance);
  json.key("point").value(finding.point);
  json.key("shares");
  write_shares(json, finding.shares);
  json.key("verdict").value(to_string(finding.verdict));
  json.key("within").begin_array();
  for (std::size_t i = 0; i < finding.within.size(); ++i) {
    json.line("joint", robot.joints[spans[i].joint].name, "lower", finding.within[i][0], "upper", finding.within[i][1]);
  }
  json.end_array();
  json.end_object();
}

void write_joint(JsonDocument& json, const RobotJoint& joint, const JointSpan* span, bool cut, double value) {
  json.begin_object(k_line);
  json.key("cut").value(cut);
  json.key("kind").value(to_string(joint.kind));
  json.key("limits").list(std::array{joint.lower, joint.upper});
  json.fields("lower", span != nullptr ? span->lower : value, "name", joint.name, "upper",
              span != nullptr ? span->upper : value);
  json.end_object();
}

void write_coverage(JsonDocument& json, const Robot& robot, const JointReport& report) {
  json.begin_object();
  json.fields("complete", !report.cancelled && !report.limit_reached && report.pairs > 0, "limit_reached",
              report.limit_reached, "links", robot.links.size());
  json.key("links_skipped").begin_array(k_line);
  for (const std::uint32_t link : report.empty_links) json.value(robot.links[link].name);
  json.end_array();
  json.key("pairs").value(report.pairs);
  json.key("pairs_at_rest").value(report.pairs_at_rest);
  json.key("pairs_excluded").begin_array();
  for (const ExcludedLinks& pair : report.excluded) {
    json.line("a", robot.links[pair.a].name, "b", robot.links[pair.b].name, "why", to_string(pair.why));
  }
  json.end_array();
  json.key("poses").value(report.poses);
  json.end_object();
}

}  // namespace

std::string joints_json(const Robot& robot, std::span<const JointSpan> spans, const JointCheckOptions& options,
                        const JointReport& report, const JointsSource& source) {
  const std::vector<double> values = options.values.empty() ? rest_values(robot) : options.values;
  JsonDocument json;
  json.begin_object();
  json.key("cancelled").value(report.cancelled);
  json.key("coverage");
  write_coverage(json, robot, report);
  json.key("findings").begin_array();
  for (const JointFinding& finding : report.findings) write_finding(json, robot, spans, finding);
  json.end_array();
  json.key("free_example");
  write_values(json, robot, report.free_example);
  json.key("inputs");
  report::write_inputs(json, std::span(&source.input, 1));
  json.key("joints").begin_array();
  for (std::uint32_t i = 0; i < robot.joints.size(); ++i) {
    const RobotJoint& joint = robot.joints[i];
    if (joint.kind == JointKind::fixed || joint.mimic) continue;
    const auto span = std::ranges::find(spans, i, &JointSpan::joint);
    write_joint(json, joint, span == spans.end() ? nullptr : &*span,
                std::ranges::find(source.cut, i) != source.cut.end(), values[i]);
  }
  json.end_array();
  json.key("moving_shares");
  write_shares(json, report.moving_shares);
  json.key("options").begin_object();
  json.fields("adjacent", options.adjacent, "clearance", options.clearance, "max_poses", options.budget.steps,
              "tolerance", options.tolerance);
  json.end_object();
  json.key("problems");
  report::write_problems(json, robot.problems);
  json.key("robot").value(robot.name);
  json.key("run");
  report::write_run(json, source.run);
  json.key("schema").value("snug.move.joints/1");
  json.key("shares");
  write_shares(json, report.shares);
  json.key("summary");
  report::write_summary(json, report, {Verdict::clash, Verdict::near, Verdict::undecided});
  json.key("units").value("m");
  json.end_object();
  return json.finish();
}

}  // namespace snug
