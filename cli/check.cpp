#include "commands.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "length.hpp"
#include "options.hpp"
#include "output.hpp"
#include "page_images.hpp"
#include "page_output.hpp"
#include "pose_option.hpp"
#include "progress_bar.hpp"
#include "quantity.hpp"
#include "refine.hpp"

#include <snug/snug.hpp>

#include <chrono>
#include <cmath>

namespace snug::cli {

namespace {

constexpr const char* k_check_footer = R"(Units:
  Lengths carry a unit: --clearance 0.5mm. They are converted to the unit of the files. Nothing is guessed, and there are
  no hidden margins: the tolerances in force are printed with every result. Files in different units form one assembly, in
  the unit of the first or that of --to-units; the report says what was converted.

Verdicts:
    contained  a closed part, or a shell of it, lies wholly inside the other; counts as clash
    clash      interiors overlap, thicker than --touch-overlap; of open meshes: triangles cross
    undecided  it could not be told, and the reason is given
    touch      they share points, or the gap is at most --touch-gap, without clash
    near       the gap is below --clearance
  A verdict is firm if finer triangles of CAD faces can not change it; others carry a question mark.

Examples:
    snug check gearbox.glb
    snug check case.stl lid.stl --units mm --clearance 0.5mm
    snug check case.obj lid.obj --units mm --pose "lid=0,0,80,1,0,0,0" --json
    snug check line.obj --units m --fail-on touch -o report.json
    snug check gearbox.step --html report/

)";

constexpr const char* k_check_precedence = R"(
  The first that holds counts: cancelled or nothing to test (4), findings at or above --fail-on (1), undecided pairs (4). Verdicts that
  are not firm count as what they are; with --fail-on not-firm each of them makes the status 1.
)";

/// A word of --fail-on that is no verdict: clashes, and whatever finer triangles might change.
constexpr std::string_view k_not_firm = "not-firm";

struct CheckCommand {
  InputOptions inputs;
  OutputOptions outputs;
  std::string clearance, touch_gap, touch_overlap;
  std::vector<std::string> poses;
  std::string pairs = "surfaces", method, device = "cpu", devices, fail_on = "clash";
  unsigned threads = hardware_threads();
  std::string output, html, images;
  std::string sort;  ///< empty: depth for the table, and the document in its own order
};

struct Lengths {
  Length clearance, touch_gap;
  std::optional<Length> touch_overlap;
};

/// What can be refused before a file is read.
Lengths parse_lengths(const CheckCommand& options) {
  const auto length = [](const std::string& text, const char* what) {
    return text.empty() ? Length{} : Length::parse(text, what);
  };
  return {length(options.clearance, "--clearance"), length(options.touch_gap, "--touch-gap"),
          options.touch_overlap.empty() ? std::nullopt
                                        : std::optional(Length::parse(options.touch_overlap, "--touch-overlap"))};
}

struct Engine {
  Method method;
  Device device;
  const Devices* devices;
};

Engine available_engine(const CheckCommand& options) {
  const Device device = options.device == "opencl" ? Device::opencl
                        : options.device == "chip" ? Device::chip
                                                   : Device::cpu;
  const std::string fallback = device == Device::cpu ? "surface" : "dop_fixed";
  const std::string name = options.method.empty() ? fallback : options.method;
  const auto method = parse_method(name);
  if (!method) fail_usage("--method " + name + " is not available in this build");
  if (device != Device::cpu && *method != Method::dop_fixed)
    fail_usage("--device " + options.device + " runs --method dop_fixed, not " + name + "; leave out one of the two");
  return {*method, device, open_devices(device == Device::opencl, options.devices)};
}

/// The least grave verdict that counts as a finding, if any does.
std::optional<Verdict> threshold(const CheckCommand& options) {
  if (options.fail_on == k_not_firm) return Verdict::clash;
  return options.fail_on == "never" ? std::nullopt : parse_verdict(options.fail_on);
}

int exit_code(const CheckReport& report, const CheckCommand& options) {
  if (report.cancelled || report.coverage.pairs_possible == 0) return k_incomplete;
  const auto fail_on = threshold(options);
  for (const Finding& finding : report.findings)
    if ((fail_on && finding.verdict >= *fail_on) || (options.fail_on == k_not_firm && !finding.firm)) return k_findings;
  return report.coverage.undecided > 0 || !report.coverage.complete ? k_incomplete : k_clean;
}

void remark(const CheckCommand& options, const CheckReport& report, const Devices* devices) {
  if (options.outputs.quiet) return;
  if (options.fail_on == "near" && options.clearance.empty())
    say("--fail-on near without --clearance: nothing counts as near");
  if (report.coverage.not_firm > 0 && options.fail_on != k_not_firm)
    say(counted(report.coverage.not_firm, "verdict is", "verdicts are") +
        " not firm, which the exit status tells only with --fail-on not-firm");
  if (devices != nullptr) tell_of_devices(*devices);
  if (!report.cancelled && report.coverage.pairs_possible == 0) say("there is nothing to test: it takes two parts");
}

void set_lengths(CheckOptions& options, const Lengths& lengths, LengthUnit unit) {
  for (const Length& length : {lengths.clearance, lengths.touch_gap, lengths.touch_overlap.value_or(Length{})})
    if (!std::isfinite(length.in(unit)))
      fail_usage("a length is too large to be told in " + std::string(to_string(unit)));
  options.tolerances.clearance = lengths.clearance.in(unit);
  options.tolerances.touch_gap = lengths.touch_gap.in(unit);
  if (lengths.touch_overlap) options.tolerances.touch_overlap = lengths.touch_overlap->in(unit);
}

int run_check(const CheckCommand& options) {
  const Lengths lengths = parse_lengths(options);
  const Engine engine = available_engine(options);
  std::vector<PoseOption> poses;
  for (const std::string& text : options.poses) poses.push_back(PoseOption::parse(text));
  if (!options.output.empty()) {
    expect_no_input(options.output, options.inputs.files);
    expect_no_model(options.output);
    expect_writable(options.output);
  }
  const PageOutputs pages = PageOutputs::prepare(options.html, options.images, options.output);

  const auto start = std::chrono::steady_clock::now();
  const bool words = !options.outputs.quiet;
  const CancelToken& cancel = watch_interrupts(words);
  CheckOptions check_options{.method = engine.method,
                             .keep_triangles = options.pairs == "triangles",
                             .threads = options.threads,
                             .cancel = &cancel,
                             .device = engine.device,
                             .devices = engine.devices};
  InputReader reader(options.inputs, words, cancel, options.inputs.cad.automatic());
  const auto read_and_check = [&](const FileRefinements& refinements) {
    Checked out{reader.read(refinements), {}};
    if (out.inputs.cancelled) {
      set_lengths(check_options, lengths, out.inputs.assembly.units());  // for the report
      out.report.cancelled = true;
      return out;
    }
    for (const PoseOption& pose : poses) pose.apply(out.inputs.assembly);
    set_lengths(check_options, lengths, out.inputs.assembly.units());
    ProgressBar bar("checking", words);
    check_options.progress = bar.hook();
    out.report = check(out.inputs.assembly, check_options);
    check_options.progress = {};
    return out;
  };
  Checked checked = read_and_check({});
  ReportSource source;
  source.run.threads = options.threads;
  source.cad = refine(options.inputs.cad, checked, read_and_check);
  source.inputs = checked.inputs.files;
  if (!checked.inputs.cancelled)
    for (const PoseOption& pose : poses) source.placed.push_back(pose.part);
  const Assembly& assembly = checked.inputs.assembly;
  CheckReport& report = checked.report;
  source.sort = parse_finding_order(options.sort);
  if (source.sort) sort_findings(report.findings, *source.sort);
  source.run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  std::string json;
  if (options.outputs.json || !options.output.empty() || pages.asked())
    json = check_json(assembly, check_options, report, source);
  TextStyle style = style_of_stdout(options.outputs.color);
  if (source.sort) style.order = *source.sort;
  EachOutput each;
  each.attempt([&] {
    write_stdout(options.outputs.json ? json : check_text(assembly, check_options, report, style, source.cad));
  });
  if (!options.output.empty()) each.attempt([&] { write_file(options.output, json); });
  if (pages.asked())
    each.attempt([&] {
      const std::string title = page_title(source.inputs);
      pages.write({.assembly = assembly, .title = title, .report = json, .pairs = page_pairs(report)}, words,
                  report.findings.size(), &cancel);
    });
  remark(options, report, engine.devices);
  each.finish();
  return exit_code(report, options);
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto options = std::make_shared<CheckCommand>();
  CLI::App& command = *app.add_subcommand("check", "Find parts that clash, touch or come too close");
  add_inputs(command, options->inputs);
  add_sag_limit(command, options->inputs.cad);
  add_tolerances(command, options->clearance, options->touch_gap, options->touch_overlap);
  command
      .add_option("--pose", options->poses,
                  "place a part: \"part=x,y,z,qw,qx,qy,qz\", in the unit of the report; may be given several times")
      ->type_name("POSE")
      ->allow_extra_args(false);
  one_of(add_value(command, "--fail-on", options->fail_on, "VERDICT",
                   "least grave verdict that makes the exit status 1 (default clash); not-firm: clash, and any verdict "
                   "that finer "
                   "triangles of CAD faces might change"),
         {"near", "touch", "undecided", "clash", "contained", "not-firm", "never"});
  one_of(add_value(command, "--sort", options->sort, "ORDER",
                   "order of the findings: depth (default of the table: gravest verdict first, then thickest overlap), "
                   "name, or volume; when given, of the JSON document and the page, too"),
         {"depth", "name", "volume"});
  one_of(add_value(command, "--pairs", options->pairs, "WHAT",
                   "what the JSON document lists of each finding: pairs of surfaces (default), or of triangles too"),
         {"surfaces", "triangles"});
  one_of(add_value(command, "--method", options->method, "METHOD",
                   "engine; all give the same result (default surface, with --device opencl dop_fixed; dop and "
                   "dop_fixed compare 24-DOPs, in floating "
                   "and in fixed "
                   "point; brute is slow and simple)"),
         {"surface", "dop", "dop_fixed", "brute"});
  one_of(add_value(command, "--device", options->device, "DEVICE",
                   "where it runs; changes no result (default cpu; opencl: see 'snug devices')"),
         {"cpu", "opencl", "chip"});
  add_chosen_devices(command, options->devices);
  command.add_option("--threads", options->threads, "threads to use (default: all the machine has); changes no result")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U).description(""));
  add_outputs(command, options->outputs);
  add_value(command, "-o,--output", options->output, "FILE", "write the JSON document to a file as well");
  add_page_outputs(command, options->html, options->images);
  command.footer(std::string(k_check_footer) + k_exit_codes + k_check_precedence);
  command.callback([options, &action] { action = [options] { return run_check(*options); }; });
}

}  // namespace snug::cli
