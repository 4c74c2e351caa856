#include "errors.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "move_options.hpp"
#include "output.hpp"
#include "page_output.hpp"
#include "progress_bar.hpp"
#include "quantity.hpp"
#include "step_option.hpp"

#include <snug/snug.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

namespace snug::cli {

namespace {

std::string contents(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) fail_input(path + ": no such file");
  if (!std::filesystem::is_regular_file(path, failed)) fail_input(path + ": is not a file");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_input(path + ": cannot be read");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) fail_input(path + ": cannot be read");
  return text;
}

PathOptions path_options(const MoveOptions& options) {
  PathOptions out{.all_gaps = options.gaps, .threads = options.threads};
  if (!options.tolerance.empty()) out.time_tolerance = parse_time(options.tolerance, "--tolerance");
  if (!options.max_pieces.empty())
    out.budget.steps = parse_count(options.max_pieces, "--max-pieces", 1, std::numeric_limits<std::uint32_t>::max());
  return out;
}

/// Lengths of the options in the unit of the assembly, which is known only now.
void set_lengths(PathOptions& out, const MoveOptions& options, LengthUnit unit) {
  const auto length = [&](const std::string& text, const char* what) {
    const double value = Length::parse(text, what).in(unit);
    if (!std::isfinite(value)) fail_usage("a length is too large to be told in " + std::string(to_string(unit)));
    return value;
  };
  Tolerances& tolerances = out.tolerances;
  if (!options.clearance.empty()) tolerances.clearance = length(options.clearance, "--clearance");
  if (!options.touch_gap.empty()) tolerances.touch_gap = length(options.touch_gap, "--touch-gap");
  if (!options.touch_overlap.empty()) tolerances.touch_overlap = length(options.touch_overlap, "--touch-overlap");
}

/// The ways of all parts in the world.
std::vector<Motion> ways(const Assembly& assembly, const PageMotion& motion) {
  std::vector<Motion> out;
  for (const Part& part : assembly.parts()) out.push_back(Motion::rest(part.pose));
  for (const PageTrack& track : motion.tracks)
    out[track.part] = track.world ? *track.world : placed(assembly.parts()[track.part].pose, track.motion);
  return out;
}

/// Findings of pairs that rest are left out where only what moves was asked for.
void leave_out_resting(PathReport& report) {
  std::erase_if(report.findings, [&](const PathFinding& finding) {
    if (!finding.at_rest) return false;
    --report.count[static_cast<std::size_t>(finding.verdict)];
    if (!finding.firm) --report.coverage.not_firm;
    if (finding.verdict == Verdict::undecided || !finding.undecided.empty()) --report.coverage.undecided;
    if (!finding.complete) --report.coverage.pairs_cut_short;
    return true;
  });
  // What is left decides, and without a part that moves nothing is left that was looked at.
  const PathCoverage& coverage = report.coverage;
  report.coverage.complete = !report.cancelled && coverage.undecided == 0 && coverage.pairs_cut_short == 0 &&
                             coverage.pairs_possible > 0 && coverage.losses.empty() && coverage.parts_skipped.empty() &&
                             coverage.parts_moving > 0;
}

PageMotion page_motion(PageMotion motion, const PathReport& report) {
  for (const PathFinding& finding : report.findings) {
    const auto add = [&](const TimeSpan& span, Verdict verdict, std::string what) {
      motion.intervals.push_back({finding.a.id, finding.b.id, verdict, span.begin, span.end, std::move(what), false});
    };
    const Verdict graver = finding.verdict == Verdict::contained ? Verdict::contained : Verdict::clash;
    for (const TimeSpan& span : finding.intervals) add(span, graver, finding.at_rest ? "at rest" : "");
    for (const TimeSpan& span : finding.undecided) add(span, Verdict::undecided, finding.reason);
    for (const TimeSpan& span : finding.touch_intervals) add(span, Verdict::touch, finding.at_rest ? "at rest" : "");
    if (finding.smallest_gap && finding.verdict == Verdict::near)
      add({finding.smallest_gap->t, finding.smallest_gap->t}, Verdict::near, "closest");
    PageMeeting meeting{.a = finding.a.id, .b = finding.b.id, .id = finding.id};
    if (finding.first_contact) meeting.first_contact = {finding.first_contact->t_lo, finding.first_contact->t_hi};
    if (finding.smallest_gap) meeting.smallest_gap = {finding.smallest_gap->value, finding.smallest_gap->t};
    for (const SurfaceMeeting& surfaces : finding.surface_pairs)
      for (const auto* spans : {&surfaces.intervals, &surfaces.touch_intervals})
        for (const TimeSpan& span : *spans)
          meeting.surface_pairs.push_back({surfaces.a, surfaces.b, span.begin, span.end});
    meeting.firm = finding.firm;
    motion.meetings.push_back(std::move(meeting));
  }
  for (const PathGap& gap : report.gaps)
    motion.meetings.push_back({.a = gap.a, .b = gap.b, .smallest_gap = PageMeeting::Gap{gap.gap.value, gap.gap.t}});
  const PathCoverage& coverage = report.coverage;
  motion.coverage = {coverage.parts, coverage.pairs_possible, coverage.complete && !report.cancelled};
  return motion;
}

int exit_code(const PathReport& report, const MoveOptions& options) {
  if (report.cancelled || report.coverage.pairs_possible == 0) return k_incomplete;
  const auto fail_on = move_threshold(options);
  for (const PathFinding& finding : report.findings)
    if ((fail_on && finding.verdict >= *fail_on) || (options.fail_on == k_fail_on_not_firm && !finding.firm))
      return k_findings;
  return report.coverage.undecided > 0 || !report.coverage.complete ? k_incomplete : k_clean;
}

/// A half turn has two shorter arcs, and rounding would choose between them without a word. Quaternions more than half a turn apart
/// may stand for a turn the longer way, or have lost their signs on the way here.
void remark_turns(const std::string& file, const Assembly& assembly, const PageMotion& motion) {
  constexpr double k_half_turn = 1e-6;  // cosine of half the angle: what files with seven digits leave of it
  for (const PageTrack& track : motion.tracks) {
    const auto keys = track.motion.keys();
    for (std::size_t i = 1; i < keys.size(); ++i) {
      const Quaternion p = keys[i - 1].pose.rotation(), q = keys[i].pose.rotation();
      const double cosine = (p.w * q.w + p.x * q.x) + (p.y * q.y + p.z * q.z);
      if (cosine < -k_half_turn) {
        say(file + ": '" + assembly.parts()[track.part].path + "': from key " + std::to_string(i) + " to key " +
            std::to_string(i + 1) +
            " the quaternions are more than half a turn apart, and the motion takes the shorter way, against their "
            "signs: "
            "a 'turn' about an axis goes as far as it says");
        break;
      }
      if (std::abs(cosine) > k_half_turn) continue;
      say(file + ": '" + assembly.parts()[track.part].path + "': from key " + std::to_string(i) + " to key " +
          std::to_string(i + 1) +
          " it turns by half a turn, and rounding chooses which way: a key in between would tell");
      break;
    }
  }
}

void remark(const MoveOptions& options, const PathReport& report) {
  if (options.outputs.quiet) return;
  if (options.fail_on == "near" && options.clearance.empty())
    say("--fail-on near without --clearance: nothing counts as near");
  if (report.coverage.not_firm > 0 && options.fail_on != k_fail_on_not_firm)
    say(counted(report.coverage.not_firm, "verdict is", "verdicts are") +
        " not firm, which the exit status tells only with --fail-on not-firm");
  if (!report.cancelled && report.coverage.pairs_possible == 0) say("there is nothing to test: it takes two parts");
  if (!report.cancelled && options.moving_only && report.coverage.parts_moving == 0)
    say("there is nothing to test: no part moves, and --moving-only leaves out the others");
}

}  // namespace

int run_move_path(const MoveOptions& options) {
  PathOptions path = path_options(options);
  set_lengths(path, options, LengthUnit::millimetre);  // what can be refused before a file is read
  const std::filesystem::path page =
      options.html.empty() ? std::filesystem::path() : page_file(options.html, {options.output});
  std::vector<StepOption> steps;
  for (const std::string& step : options.steps) steps.push_back(StepOption::parse(step));
  const std::string text = steps.empty() ? contents(options.motion) : std::string();

  const auto start = std::chrono::steady_clock::now();
  const bool words = !options.outputs.quiet;
  const CancelToken& cancel = watch_interrupts(words);
  Inputs inputs = load_inputs(options.inputs, words, cancel);
  const Assembly& assembly = inputs.assembly;
  set_lengths(path, options, assembly.units());

  MoveSource source{
      .inputs = inputs.files, .moving = {}, .moving_only = options.moving_only, .run = {.threads = options.threads}};
  PathReport report;
  PageMotion motion;
  if (steps.empty()) source.motion = InputFile{options.motion, std::nullopt};
  source.steps = options.steps;
  if (inputs.cancelled) {
    report.cancelled = true;
  } else {
    if (!steps.empty()) {
      motion = motion_of_steps(steps, assembly);
    } else {
      auto read = read_motion(text, options.motion, assembly);
      if (!read) fail_input(read.error().message());
      motion = std::move(*read);
      source.motion->sha256 = sha256_of(text);
      if (words) remark_turns(options.motion, assembly, motion);
    }
    for (const PageTrack& track : motion.tracks) source.moving.push_back(assembly.parts()[track.part].path);
    std::ranges::sort(source.moving);
    if (inputs.has_cad) {
      const CadOptions cad = options.inputs.cad.parse();
      source.cad = CadMeshing{.sag = cad.sag_metres / metres_per(assembly.units()), .angle_degrees = cad.angle_degrees};
    }
    ProgressBar bar("moving", words);
    path.progress = bar.hook();
    path.budget.cancel = &cancel;
    auto checked = check_path(assembly, ways(assembly, motion), path);
    path.progress = {};
    if (!checked) fail_input((steps.empty() ? options.motion : "--step") + ": " + checked.error().message());
    report = std::move(*checked);
    if (options.moving_only) leave_out_resting(report);
  }
  source.run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  std::string json;
  if (options.outputs.json || !options.output.empty()) json = move_json(assembly, path, report, source);
  EachOutput each;
  each.attempt([&] {
    write_stdout(options.outputs.json
                     ? json
                     : move_text(assembly, path, report, source, style_of_stdout(options.outputs.color)));
  });
  if (!options.output.empty()) each.attempt([&] { write_file(options.output, json); });
  if (!page.empty())
    each.attempt([&] {
      const std::string title = page_title(source.inputs);
      PageInput input{.assembly = assembly, .title = title, .motion = page_motion(std::move(motion), report)};
      write_page(input, page, words);
      if (words) say("the page is in " + page.string());
    });
  remark(options, report);
  each.finish();
  return exit_code(report, options);
}

}  // namespace snug::cli
