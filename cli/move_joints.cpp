#include "errors.hpp"
#include "interrupt.hpp"
#include "joint_option.hpp"
#include "move_options.hpp"
#include "nearest.hpp"
#include "output.hpp"
#include "page_output.hpp"
#include "progress_bar.hpp"
#include "quantity.hpp"
#include "robot_page.hpp"

#include <snug/snug.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <locale>
#include <sstream>

namespace snug::cli {

namespace {

double metres(const std::string& text, const char* what, double otherwise) {
  if (text.empty()) return otherwise;
  const double value = Length::parse(text, what).in(LengthUnit::metre);
  if (!std::isfinite(value)) fail_usage(std::string(what) + ": is too large");
  return value;
}

std::uint32_t link_named(const Robot& robot, const std::string& whole, const std::string& name) {
  if (const auto found = robot.find_link(name)) return *found;
  std::vector<std::string> names;
  for (const RobotLink& link : robot.links) names.push_back(link.name);
  fail_usage("--ignore: '" + whole + "': there is no link '" + name + '\'' + did_you_mean(name, names));
}

std::vector<std::array<std::uint32_t, 2>> ignored_pairs(const Robot& robot, const std::vector<std::string>& options) {
  std::vector<std::array<std::uint32_t, 2>> out;
  for (const std::string& whole : options) {
    const std::size_t comma = whole.find(',');
    if (comma == std::string::npos) fail_usage("--ignore: '" + whole + "': write two links and a comma, \"a,b\"");
    const std::uint32_t a = link_named(robot, whole, whole.substr(0, comma)),
                        b = link_named(robot, whole, whole.substr(comma + 1));
    if (a == b) fail_usage("--ignore: '" + whole + "': names one link twice");
    out.push_back({a, b});
  }
  return out;
}

int exit_code(const JointReport& report, const MoveOptions& options) {
  if (report.cancelled || report.pairs == 0) return k_incomplete;
  const auto fail_on = move_threshold(options);
  if (fail_on && std::ranges::any_of(report.findings, [&](const JointFinding& f) { return f.verdict >= *fail_on; }))
    return k_findings;
  return report.count_of(Verdict::undecided) > 0 || report.limit_reached ? k_incomplete : k_clean;
}

/// "18.57 %", and never "0 %" of something.
std::string percent(double share) {
  const double value = 100 * share;
  if (value > 0 && value < 0.005) return "below 0.01 %";
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << std::round(value * 100) / 100 << " %";
  return out.str();
}

/// A page tells what meets in motion. Here the motion goes from example to example, one each second, and begins at rest.
PageMotion robot_motion(const Robot& robot, const JointRanges& ranges, const JointReport& report, double clearance) {
  std::vector<std::uint32_t> part_of_link(robot.links.size());
  PagePlayback play;
  for (std::uint32_t i = 0; i < robot.links.size(); ++i)
    if (!robot.links[i].bodies.empty()) {
      part_of_link[i] = static_cast<std::uint32_t>(play.parts.size());
      play.parts.push_back(part_of_link[i]);
    }
  const auto add = [&](std::span<const double> values) {
    const std::vector<Pose> poses = link_poses(robot, values).value();  // values of a report, or between limits
    for (std::size_t i = 0; i < poses.size(); ++i)
      if (!robot.links[i].bodies.empty()) play.poses.push_back(poses[i]);
    play.times.push_back(static_cast<double>(play.times.size()));
    return play.times.back();
  };

  PageMotion motion;
  motion.end = std::max(add(ranges.values), 1.0);
  for (const JointFinding& finding : report.findings) {
    const double t = finding.example.empty() ? 0 : add(finding.example);
    const std::uint32_t a = part_of_link[finding.a], b = part_of_link[finding.b];
    const JointShares& shares = finding.shares;
    std::string what = percent(shares.colliding) +
                       (clearance > 0 ? " of the range are too close, " : " of the range collide, ") +
                       percent(shares.undecided) + " are undecided";
    if (!finding.example.empty()) what += "; for example " + joint_values_text(robot, ranges.spans, finding.example);
    motion.intervals.push_back({a, b, finding.verdict, t, t, std::move(what), false});
    PageMeeting meeting{.a = a, .b = b};
    if (finding.verdict == Verdict::near) meeting.smallest_gap = PageMeeting::Gap{finding.distance, t};
    motion.meetings.push_back(std::move(meeting));
    motion.end = std::max(motion.end, t);
  }
  const bool complete = !report.cancelled && !report.limit_reached && report.pairs > 0;
  motion.coverage = {play.parts.size(), report.pairs, complete};
  motion.playback = std::move(play);
  return motion;
}

void write_robot_page(const Robot& robot, const JointRanges& ranges, const JointReport& report, double clearance,
                      const std::string& file, const std::string& text, const std::filesystem::path& page, bool words) {
  const Assembly assembly = robot_assembly(robot, ranges.values).value();
  const std::string title = std::filesystem::path(file).filename().string();
  PageInput input{.assembly = assembly,
                  .title = title,
                  .motion = robot_motion(robot, ranges, report, clearance),
                  .robot = page_robot(robot, ranges, report)};
  if (report.cancelled) input.remarks.emplace_back("Cancelled: only a part of the ranges was looked at.");
  if (report.pairs == 0) input.remarks.emplace_back("Nothing was tested: no two links move against each other.");
  input.remarks.emplace_back(
      report.findings.empty()
          ? "The robot is shown at rest; the sliders move its joints."
          : "The robot is shown at rest; the sliders move its joints, and each pair shows an example.");
  // Of the table, the lines that tell the whole.
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    for (const std::string_view head : {"summary", "range", "joints"})
      if (line.starts_with(std::string(head) + ' '))
        input.remarks.push_back(std::string(head) + ": " + line.substr(line.find_first_not_of(' ', head.size())));
  write_page(input, page, words);
  if (words) say("the page is in " + page.string());
}

}  // namespace

int run_move_joints(const MoveOptions& options) {
  JointCheckOptions check{.clearance = metres(options.clearance, "--clearance", 0),
                          .adjacent = options.adjacent,
                          .threads = options.threads};
  check.tolerance = metres(options.tolerance, "--tolerance", check.tolerance);
  if (!(check.tolerance > 0)) fail_usage("--tolerance: '" + options.tolerance + "' must be above zero");
  if (!options.max_poses.empty()) check.budget.steps = parse_count(options.max_poses, "--max-poses", 1, 1'000'000'000);
  if (options.fail_on == "touch" || options.fail_on == "contained" || options.fail_on == k_fail_on_not_firm)
    fail_usage("--fail-on " + options.fail_on +
               " is not for robots: their links are near, undecided or clash, and touching counts as clash");
  const std::filesystem::path page =
      options.html.empty() ? std::filesystem::path() : page_file(options.html, {options.output});

  for (const std::string& folder : options.packages)
    if (!std::filesystem::is_directory(folder)) fail_usage("--packages: '" + folder + "' is no folder");

  const auto start = std::chrono::steady_clock::now();
  const bool words = !options.outputs.quiet;
  const CancelToken& cancel = watch_interrupts(words);
  const std::string& file = options.inputs.files.front();
  RobotLoadOptions loading{
      .packages = {options.packages.begin(), options.packages.end()}, .visual = options.visual, .cancel = &cancel};
  const auto robot = load_robot(file, loading);
  if (!robot) {
    if (robot.error().code == IoError::Code::cancelled) throw Failed(k_incomplete, "cancelled while reading");
    fail_input(robot.error().message());
  }
  const JointRanges ranges = joint_ranges(*robot, options.joints);
  check.values = ranges.values;
  check.ignored = ignored_pairs(*robot, options.ignored);
  check.budget.cancel = &cancel;
  JointReport report;
  {
    ProgressBar bar("moving", words);
    check.progress = bar.hook();
    auto checked = check_joints(*robot, ranges.spans, check);
    if (!checked) fail_usage(checked.error().message());
    report = std::move(*checked);
    check.progress = {};
  }

  JointsSource source{
      .input = {file, robot->sha256, LengthUnit::metre}, .cut = ranges.cut, .run = {.threads = options.threads}};
  source.run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::string json;
  if (options.outputs.json || !options.output.empty()) json = joints_json(*robot, ranges.spans, check, report, source);
  const auto text = [&](const TextStyle& style) {
    return joints_text(*robot, ranges.spans, check, report, source, style);
  };
  EachOutput each;
  each.attempt([&] { write_stdout(options.outputs.json ? json : text(style_of_stdout(options.outputs.color))); });
  if (!options.output.empty()) each.attempt([&] { write_file(options.output, json); });
  if (!page.empty())
    each.attempt([&] {
      const std::string table = text({.color = false, .width = 1000});
      write_robot_page(*robot, ranges, report, check.clearance, file, table, page, words);
    });
  if (words && options.fail_on == "near" && options.clearance.empty())
    say("--fail-on near without --clearance: nothing counts as near");
  if (words && report.pairs == 0)
    say("there is nothing to test: no two links with collision geometry move against each other");
  each.finish();
  return exit_code(report, options);
}

}  // namespace snug::cli
