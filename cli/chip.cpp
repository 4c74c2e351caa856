#include "commands.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "pose_option.hpp"
#include "quantity.hpp"

#include <snug/chip.hpp>

#include <chrono>

namespace snug::cli {

namespace {

constexpr const char* k_chip_footer = R"(The chip:
  Raabe et al. (2006) describe a chip that walks through two trees of 24-DOPs in fixed point and reports triangles that may meet. This runs
  its cycle model, which the hardware is held to, with DDR memory at 100 MHz on a 64-bit bus, and tells what that took. Candidates are
  confirmed exactly, so pairs are those of every other engine.

  Configurations differ in the width of words; w35 is the published one, w18 loads its data in half the bursts.

Examples:
    snug chip gear.obj rack.obj --units mm --config w35
    snug chip case.stl lid.stl --units mm --pose "lid=0,0,2,1,0,0,0" --json

Exit status:
    0  done; no triangles meet
    1  done; some meet
    2  wrong usage, or not two parts
    3  unreadable input
    4  cancelled, or no triangles meet but part of a file could not be read
    5  internal error, or output that could not be written
)";

struct ChipCommand {
  InputOptions inputs;
  OutputOptions outputs;
  std::vector<std::string> poses;
  std::string configuration = "w18", axes, stack;
  bool stop_at_axes = false;
};

int run_chip(const ChipCommand& options) {
  ChipOptions chip{.configuration = options.configuration, .go_on = !options.stop_at_axes};
  if (!options.axes.empty()) chip.axes = static_cast<unsigned>(parse_count(options.axes, "--axes", 1, 64));
  if (!options.stack.empty())
    chip.stack_depth = static_cast<std::uint32_t>(parse_count(options.stack, "--stack", 1, 1'000'000));
  std::vector<PoseOption> poses;
  for (const std::string& text : options.poses) poses.push_back(PoseOption::parse(text));

  const auto start = std::chrono::steady_clock::now();
  const bool words = !options.outputs.quiet;
  const CancelToken& cancel = watch_interrupts(words);
  Inputs inputs = load_inputs(options.inputs, words, cancel);
  if (inputs.cancelled) return k_incomplete;
  for (const PoseOption& pose : poses) pose.apply(inputs.assembly);
  const auto parts = inputs.assembly.parts();
  if (parts.size() != 2)
    fail_usage("the chip compares two parts; there " +
               (parts.size() == 1 ? std::string("is one") : "are " + std::to_string(parts.size())) +
               " in what was read ('snug info' lists them)");

  const Shape a(parts[0].mesh), b(parts[1].mesh);
  Scratch scratch;
  chip.cancel = &cancel;
  const auto report = chip_pairs(a, parts[0].pose, b, parts[1].pose, scratch, chip);
  if (!report) fail_usage(report.error().message());
  const auto missing = inputs.assembly.losses();
  ChipSource source{.inputs = inputs.files,
                    .part_a = parts[0].path,
                    .part_b = parts[1].path,
                    .pose_a = parts[0].pose,
                    .pose_b = parts[1].pose,
                    .losses = {missing.begin(), missing.end()},
                    .run = {}};
  source.run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_stdout(options.outputs.json ? chip_json(*report, source) : chip_text(*report, source));
  if (report->cancelled) return k_incomplete;
  if (!report->pairs.empty()) return k_findings;
  return missing.empty() ? k_clean : k_incomplete;
}

}  // namespace

void add_chip(CLI::App& app, Action& action) {
  auto options = std::make_shared<ChipCommand>();
  CLI::App& command = *app.add_subcommand("chip", "Ask the cycle model of the chip whether two parts meet");
  add_inputs(command, options->inputs);
  add_outputs(command, options->outputs);
  std::vector<std::string> names;
  for (const std::string_view name : chip_configurations()) names.emplace_back(name);
  one_of(add_value(command, "--config", options->configuration, "NAME", "configuration of the chip (default w18)"),
         names);
  add_value(command, "--axes", options->axes, "N",
            "axes tried on a pair of nodes, 1 to 64 (default: the configuration's)");
  command.add_flag("--stop-at-axes", options->stop_at_axes, "try no further axes while the next pair is being loaded");
  add_value(command, "--stack", options->stack, "N", "entries of the stack (default 512)");
  command.add_option("--pose", options->poses, "place a part: \"part=x,y,z,qw,qx,qy,qz\"; may be repeated")
      ->type_name("POSE")
      ->allow_extra_args(false);
  command.footer(k_chip_footer);
  command.callback([options, &action] { action = [options] { return run_chip(*options); }; });
}

}  // namespace snug::cli
