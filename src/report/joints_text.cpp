#include "report/distinct_names.hpp"
#include "report/problems_text.hpp"
#include "report/words.hpp"
#include "support/text.hpp"
#include "support/trig.hpp"

#include <snug/move_report.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace snug {

namespace {

using namespace report;
using support::counted;

/// "95.5deg", "0.12m".
std::string number_of(const RobotJoint& joint, double value) {
  return joint.kind == JointKind::prismatic ? short_number(value) : short_number(value * 180 / support::k_pi);
}
std::string_view unit_of(const RobotJoint& joint) { return joint.kind == JointKind::prismatic ? "m" : "deg"; }
std::string range_of(const RobotJoint& joint, double lower, double upper) {
  const std::string from = number_of(joint, lower), to = number_of(joint, upper);
  return from + (from == to ? "" : ".." + to) + std::string(unit_of(joint));
}

/// A share that is not zero never reads as zero, nor one that is not all as all.
std::string percent(double share) {
  if (share == 0) return "0 %";
  if (share < 1e-4) return "<0.01 %";
  if (share < 1 && share > 0.9999) return ">99.99 %";
  return short_number(std::round(share * 1e4) / 100) + " %";
}

/// Why a share is undecided, and what would help.
std::string reasons_text(const UndecidedShares& why) {
  std::string out;
  for (const auto& [share, words] :
       {std::pair{why.contact, " where links are about to touch and move less than the tolerance (--tolerance)"},
        {why.open_mesh, " where a mesh with holes is crossed, whose depth proves nothing (close it)"},
        {why.rounding, " where links touch to rounding"},
        {why.limit, " left when the poses allowed were looked at (--max-poses)"},
        {why.cancelled, " left when it was cancelled"}})
    if (share > 0) out += (out.empty() ? "" : "; ") + percent(share) + words;
  return out;
}

/// The ranges within which a pair is not free, where these are less than all.
std::string within_text(const Robot& robot, std::span<const JointSpan> spans, const JointFinding& finding) {
  if (finding.at_rest && !spans.empty()) return "at rest: no joint of the range moves them against each other";
  std::string out;
  for (std::size_t i = 0; i < finding.within.size(); ++i) {
    const RobotJoint& joint = robot.joints[spans[i].joint];
    if (finding.within[i][0] <= spans[i].lower && finding.within[i][1] >= spans[i].upper) continue;
    out += (out.empty() ? "" : ", ") + printable(joint.name) + ' ' +
           range_of(joint, finding.within[i][0], finding.within[i][1]);
  }
  return out.empty() ? "anywhere" : "only within " + out;
}

/// With a clearance, shares that count as colliding hold poses whose links stay apart.
std::string_view colliding_word(const JointCheckOptions& options) {
  return options.clearance > 0 ? "too close" : "colliding";
}

std::string findings_table(const Robot& robot, std::span<const JointSpan> spans, const JointReport& report,
                           std::string_view colliding, const TextStyle& style) {
  const bool narrow = style.width < k_narrow;
  std::vector<std::string_view> links;
  for (const JointFinding& finding : report.findings)
    for (const std::size_t link : {finding.a, finding.b}) links.push_back(robot.links[link].name);
  const DistinctNames names(std::move(links), 28);
  Table table;
  table.column("verdict");
  table.column("link a");
  table.column("link b");
  table.column(std::string(colliding), Table::Align::right);
  table.column("undecided", Table::Align::right);
  if (!narrow) table.column("for example");
  for (const JointFinding& finding : report.findings) {
    std::string example = joint_values_text(robot, spans, finding.example);
    if (finding.verdict != Verdict::clash && finding.point)
      example += (example.empty() ? "gap " : ": gap ") + short_number(finding.distance) + " m";
    std::vector<Table::Cell> row{{std::string(to_string(finding.verdict)), color_of(finding.verdict)},
                                 {names[robot.links[finding.a].name]},
                                 {names[robot.links[finding.b].name]},
                                 {percent(finding.shares.colliding)},
                                 {percent(finding.shares.undecided)}};
    if (!narrow) row.push_back({example});
    table.row(std::move(row));
    const std::string within = within_text(robot, spans, finding);
    table.below(narrow && !example.empty() ? example + "; " + within : within);
  }
  return table.render(style.width, style.color);
}

/// The range of one joint as a line, of two as a field: what fills most of a character's place, the gravest where any is.
std::string picture(const Robot& robot, std::span<const JointSpan> spans, const JointReport& report,
                    std::string_view colliding) {
  using State = JointCell::State;
  if (report.cells.empty() || spans.empty() || spans.size() > 2) return {};
  const std::size_t columns = 60, rows = spans.size() == 2 ? 20 : 1;
  for (const JointSpan& span : spans)
    if (!(span.upper > span.lower)) return {};
  std::vector<std::string> field(rows, std::string(columns, '.'));
  const auto cells_of = [](double lower, double upper, const JointSpan& span, std::size_t count) {
    const double scale = static_cast<double>(count) / (span.upper - span.lower);
    const auto place = [&](double at) { return std::clamp(at, 0.0, static_cast<double>(count) - 1); };
    const auto first = static_cast<std::size_t>(place(std::floor((lower - span.lower) * scale + 1e-9)));
    const auto last = static_cast<std::size_t>(place(std::ceil((upper - span.lower) * scale - 1e-9) - 1));
    return std::array{first, std::max(first, last)};
  };
  const auto paint = [&](State state, char mark) {
    for (const JointCell& cell : report.cells) {
      if (cell.state != state) continue;
      const auto x = cells_of(cell.lower[0], cell.upper[0], spans[0], columns);
      const auto y =
          rows == 1 ? std::array<std::size_t, 2>{0, 0} : cells_of(cell.lower[1], cell.upper[1], spans[1], rows);
      for (std::size_t row = y[0]; row <= y[1]; ++row)
        for (std::size_t column = x[0]; column <= x[1]; ++column) field[row][column] = mark;
    }
  };
  paint(State::undecided, '?');
  paint(State::colliding, '#');
  const RobotJoint& across = robot.joints[spans[0].joint];
  std::string out;
  if (rows == 1) {
    out = "  |" + field[0] + "|\n";
  } else {
    const RobotJoint& up = robot.joints[spans[1].joint];
    out = "  " + printable(up.name) + ", " + range_of(up, spans[1].lower, spans[1].upper) + ", upwards\n";
    for (std::size_t row = rows; row-- > 0;) out += "  |" + field[row] + "|\n";
  }
  return out + "  " + printable(across.name) + ", " + range_of(across, spans[0].lower, spans[0].upper) +
         ", to the right; . free, # " + std::string(colliding) + ", ? undecided\n";
}

std::string joints_line(const Robot& robot, std::span<const JointSpan> spans, const JointsSource& source) {
  if (spans.empty()) return "none moves: a single pose";
  std::string out;
  for (const JointSpan& span : spans) {
    const RobotJoint& joint = robot.joints[span.joint];
    out += (out.empty() ? "" : ", ") + printable(joint.name) + ' ' + range_of(joint, span.lower, span.upper);
    if (std::ranges::find(source.cut, span.joint) != source.cut.end()) out += " (cut to its limits)";
  }
  const auto others =
      std::ranges::count_if(robot.joints,
                            [](const RobotJoint& joint) { return joint.kind != JointKind::fixed && !joint.mimic; }) -
      static_cast<std::ptrdiff_t>(spans.size());
  if (others > 0) out += "; " + counted(static_cast<std::uint64_t>(others), "joint rests", "joints rest");
  return out;
}

std::string shares_text(const JointShares& shares, const JointCheckOptions& options) {
  std::string out = percent(shares.free) + " free, " + percent(shares.colliding) + ' ' +
                    std::string(colliding_word(options)) + ", " + percent(shares.undecided) + " undecided";
  if (shares.undecided_colliding > 0)
    out += std::string(" (where the middle of a piece ") + (options.clearance > 0 ? "is too close" : "collides") +
           ": " + percent(shares.undecided_colliding) + ')';
  return out;
}

std::string shares_line(const JointReport& report, const JointCheckOptions& options) {
  const JointShares& shares = report.moving_shares;
  if (report.shares.colliding == 1 && shares.colliding < 1)
    return std::string("all of it ") + (options.clearance > 0 ? "is too close" : "collides") +
           ", because of links at rest; of the pairs that move: " + shares_text(shares, options);
  return shares_text(report.shares, options);
}

std::string summary_line(const JointReport& report, const TextStyle& style) {
  if (report.pairs == 0) return "nothing to test: there are no two links to look at";
  if (report.findings.empty())
    return painted("no findings: no two links can collide in this range", Color::green, style.color);
  std::string text;
  for (const Verdict verdict : {Verdict::clash, Verdict::undecided, Verdict::near})
    if (const auto count = report.count_of(verdict); count > 0)
      text += (text.empty() ? "" : ", ") +
              painted(std::to_string(count) + ' ' + std::string(to_string(verdict)), color_of(verdict), style.color);
  return text;
}

std::string coverage_line(const Robot& robot, const JointReport& report) {
  std::string text = counted(robot.links.size(), "link", "links") + ", " + counted(report.pairs, "pair", "pairs") +
                     " looked at, in " + grouped(report.poses, "pose", "poses");
  if (report.pairs_at_rest > 0 && report.pairs_at_rest < report.pairs)
    text += " (" + counted(report.pairs_at_rest, "pair", "pairs") + " at rest, looked at once)";
  using Why = ExcludedLinks::Why;
  std::string left_out;
  for (const auto& [why, words] :
       {std::pair{Why::adjacent, " adjacent, held together by a joint (--adjacent looks at them)"},
        {Why::rigid, " not moved against each other by any joint"},
        {Why::ignored, " by --ignore"}})
    if (const auto count = std::ranges::count(report.excluded, why, &ExcludedLinks::why); count > 0)
      left_out += (left_out.empty() ? "; left out: " : ", ") +
                  counted(static_cast<std::uint64_t>(count), "pair", "pairs") + words;
  text += left_out;
  if (!report.empty_links.empty()) {
    text += "; without collision geometry: ";
    for (std::size_t i = 0; i < report.empty_links.size() && i < 5; ++i)
      text += (i == 0 ? "" : ", ") + printable(robot.links[report.empty_links[i]].name);
    if (report.empty_links.size() > 5) text += " and " + std::to_string(report.empty_links.size() - 5) + " more";
  }
  if (report.cancelled) text += "; CANCELLED, the rest is undecided";
  if (report.limit_reached) text += "; STOPPED at the number of poses allowed (--max-poses), the rest is undecided";
  return text;
}

}  // namespace

std::string joint_values_text(const Robot& robot, std::span<const JointSpan> spans, std::span<const double> values) {
  std::string out;
  for (const JointSpan& span : spans) {
    const RobotJoint& joint = robot.joints[span.joint];
    out += (out.empty() ? "" : ", ") + printable(joint.name) + ' ' + number_of(joint, values[span.joint]) +
           std::string(unit_of(joint));
  }
  return out;
}

std::string joints_text(const Robot& robot, std::span<const JointSpan> spans, const JointCheckOptions& options,
                        const JointReport& report, const JointsSource& source, const TextStyle& style) {
  std::string out;
  if (!report.findings.empty()) {
    out += findings_table(robot, spans, report, colliding_word(options), style) + '\n';
    if (const std::string field = picture(robot, spans, report, colliding_word(options)); !field.empty())
      out += field + '\n';
  }
  const auto line = [&](const char* head, const std::string& text) {
    if (!text.empty()) out += head + wrapped(text, 12, style.width) + '\n';
  };
  line("summary     ", summary_line(report, style));
  if (report.pairs > 0) line("range       ", shares_line(report, options));
  line("undecided   ", reasons_text(report.moving_shares.why));
  line("joints      ", joints_line(robot, spans, source));
  if (!report.free_example.empty() && !report.findings.empty() && !spans.empty())
    line("free        ", "for example " + joint_values_text(robot, spans, report.free_example));
  line("coverage    ", coverage_line(robot, report));
  line("tolerances  ", "clearance " + short_number(options.clearance) +
                           " m, pieces within which links move less than " + short_number(options.tolerance) +
                           " m are not divided further; touching counts as colliding" +
                           (options.clearance > 0 ? "; too close: colliding, or closer than the clearance" : ""));
  return out + problems_text(robot.problems, style);
}

}  // namespace snug
