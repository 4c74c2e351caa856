#include "commands.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress_bar.hpp"

#include <snug/report.hpp>

#include <algorithm>

namespace snug::cli {

namespace {

constexpr const char* k_info_footer = R"(Problems:
  Each part is listed with what is odd about its mesh: open edges, edges of more than two triangles, flipped, degenerate and
  duplicate triangles, and what the reader left out or renamed. Edges are named triangle.edge, both from 0.

  With --self, parts are searched for pairs of their own triangles that meet beyond what neighbours share: the mesh runs
  through itself, is folded, or holds triangles twice. 'snug check' takes parts as they are; depths of such solids mislead.

Examples:
    snug info gearbox.glb
    snug info case.stl --units mm --self
    snug info case.stl lid.stl --units mm --json

Exit status:
    0  done
    1  done; with --self, a part meets itself
    2  wrong usage
    3  unreadable input
    4  cancelled, or part of a file could not be read
    5  internal error, or output that could not be written
)";

struct InfoCommand {
  InputOptions inputs;
  OutputOptions outputs;
  bool self = false;
};

int run_info(const InfoCommand& options) {
  const bool words = !options.outputs.quiet;
  const CancelToken& cancel = watch_interrupts(words);
  const Inputs inputs = load_inputs(options.inputs, words, cancel);
  AssemblyInfo info;
  {
    ProgressBar bar("inspecting", words);
    info = describe(inputs.assembly, bar.hook(), &cancel,
                    {.self_intersections = options.self, .threads = hardware_threads()});
  }
  info.cancelled |= inputs.cancelled;
  write_stdout(options.outputs.json ? info_json(inputs.assembly, info, inputs.files)
                                    : info_text(inputs.assembly, info, style_of_stdout(options.outputs.color)));
  if (info.cancelled || !info.losses.empty()) return k_incomplete;
  const bool meets_itself = std::ranges::any_of(
      info.parts, [](const PartInfo& part) { return part.self_intersections && part.self_intersections->pairs > 0; });
  return meets_itself ? k_findings : k_clean;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  auto options = std::make_shared<InfoCommand>();
  CLI::App& command = *app.add_subcommand("info", "Tell what files hold, and what is odd about it");
  add_inputs(command, options->inputs);
  add_outputs(command, options->outputs);
  command.add_flag("--self", options->self, "look for triangles of a part that meet others of the same part");
  command.footer(k_info_footer);
  command.callback([options, &action] { action = [options] { return run_info(*options); }; });
}

}  // namespace snug::cli
