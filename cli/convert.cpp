#include "commands.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress_bar.hpp"
#include "quantity.hpp"

#include <snug/io.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

namespace snug::cli {

namespace {

constexpr const char* k_convert_footer = R"(Formats:
  Written are STL, OBJ, PLY, OFF, GLB, STEP, IGES and BREP, by the suffix of the output or by --to; .gltf is read but not
  written. STEP and GLB keep parts, placements, instances, colours and the unit. STEP, IGES and BREP keep planes, cylinders,
  cones, spheres and tori as such; OBJ, PLY and GLB keep surfaces as groups of triangles. IGES and BREP are written by the
  importer of CAD files (see snug importer), within its limits. What a format can not keep is told on stderr.

Examples:
    snug convert gearbox.step -o gearbox.glb
    snug convert case.obj lid.obj --units mm -o box.step
    snug convert part.obj --units mm -o part.stl --ascii
    snug convert part.step --to-units in -o part.obj

Exit status:
    0  done
    2  wrong usage
    3  unreadable input
    4  incomplete: cancelled, nothing is written; or the input could not be read as a whole, the rest is written
    5  internal error, or output that could not be written
)";

struct ConvertCommand {
  InputOptions inputs;
  std::string output, format;
  bool ascii = false;
  bool quiet = false;
};

struct Written {
  std::string_view word;  ///< of --to
  FileFormat format;
  std::string_view name;
};
constexpr std::array<Written, 8> k_written{{{"stl", FileFormat::stl, "STL"},
                                            {"obj", FileFormat::obj, "OBJ"},
                                            {"ply", FileFormat::ply, "PLY"},
                                            {"off", FileFormat::off, "OFF"},
                                            {"glb", FileFormat::gltf, "GLB"},
                                            {"step", FileFormat::step, "STEP"},
                                            {"iges", FileFormat::iges, "IGES"},
                                            {"brep", FileFormat::brep, "BREP"}}};
constexpr const char* k_formats = "STL, OBJ, PLY, OFF, GLB, STEP, IGES and BREP";

/// What to write, known before anything is read.
const Written& chosen_format(const ConvertCommand& options) {
  std::string word = options.format;
  if (word.empty()) {
    word = std::filesystem::path(options.output).extension().string();
    std::ranges::transform(word, word.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    if (word.starts_with('.')) word.erase(0, 1);
    if (word == "stp") word = "step";
    if (word == "igs") word = "iges";
    if (word == "brp") word = "brep";
  }
  const auto found = std::ranges::find(k_written, word, &Written::word);
  if (found != k_written.end()) return *found;
  if (word == "gltf") fail_usage(options.output + ": glTF is written as .glb only");
  fail_usage(options.output + ": the suffix does not tell the format; name one by --to (" + k_formats + ')');
}

void tell(std::string_view head, std::span<const Problem> problems) {
  constexpr std::size_t k_most_lines = 20;
  if (problems.empty()) return;
  std::string text(head);
  for (const Problem& problem : problems.first(std::min(k_most_lines, problems.size())))
    text += "\n  " + (problem.part.empty() ? "" : problem.part + ": ") + problem.text;
  if (problems.size() > k_most_lines) text += "\n  and " + std::to_string(problems.size() - k_most_lines) + " more";
  say(text, "snug convert");
}

std::string summary(const Assembly& assembly, const ConvertCommand& options, const Written& written) {
  std::size_t surfaces = 0, triangles = 0;
  for (const Part& part : assembly.parts()) {
    surfaces += part.mesh.surfaces().size();
    triangles += part.mesh.triangles().size();
  }
  const LengthUnit unit = assembly.units();
  const std::string unit_text(unit == LengthUnit::inch ? "inches" : to_string(unit));
  const bool in_metres = written.format == FileFormat::gltf && unit != LengthUnit::metre;
  return counted(assembly.parts().size(), "part") + ", " + counted(surfaces, "surface") + ", " +
         counted(triangles, "triangle") + " written to " + options.output + " (" + std::string(written.name) + ", in " +
         (in_metres ? "m, noted in " : "") + unit_text + ')';
}

int run_convert(const ConvertCommand& options) {
  const Written& written = chosen_format(options);
  if (options.ascii && written.format == FileFormat::gltf) fail_usage("--ascii: GLB is binary; STL and PLY have both");
  expect_no_input(options.output, options.inputs.files);
  expect_writable(options.output);

  const bool words = !options.quiet;
  const CancelToken& cancel = watch_interrupts(words);
  const Inputs inputs = load_inputs(options.inputs, words, cancel);
  std::vector<Problem> lost;
  bool cancelled = inputs.cancelled;
  if (!cancelled) {
    ProgressBar bar("writing", words);
    const SaveOptions how{.format = written.format,
                          .ascii = options.ascii,
                          .progress = bar.hook(),
                          .cancel = &cancel,
                          .problems = &lost,
                          .cad = options.inputs.cad.parse()};
    const auto saved = save(inputs.assembly, options.output, how);
    cancelled = !saved && saved.error().code == IoError::Code::cancelled;
    if (!saved && !cancelled) fail_output(saved.error().message());
  }
  if (cancelled) {
    if (words) say("cancelled; nothing is written", "snug convert");
    return k_incomplete;
  }
  const auto missing = inputs.assembly.losses();
  if (words) {
    tell("noticed in the input:", inputs.assembly.problems());
    tell("the input could not be read as a whole; missing in the output:", missing);
    tell("what " + std::string(written.name) + " does not keep, or has in another form:", lost);
    say(summary(inputs.assembly, options, written), "snug convert");
  }
  return missing.empty() ? k_clean : k_incomplete;
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  auto options = std::make_shared<ConvertCommand>();
  CLI::App& command = *app.add_subcommand("convert", "Write files in another format");
  add_inputs(command, options->inputs);
  add_value(command, "-o,--output", options->output, "FILE", "the file to write; one that is there is replaced")
      ->required();
  std::vector<std::string> formats;
  for (const Written& written : k_written) formats.emplace_back(written.word);
  one_of(add_value(command, "--to", options->format, "FORMAT", "format to write, whatever the suffix says"), formats);
  command.add_flag("--ascii", options->ascii, "STL and PLY as text instead of binary");
  command.add_flag("-q,--quiet", options->quiet, "no progress and no remarks on stderr; errors are still told");
  command.footer(k_convert_footer);
  command.callback([options, &action] { action = [options] { return run_convert(*options); }; });
}

}  // namespace snug::cli
