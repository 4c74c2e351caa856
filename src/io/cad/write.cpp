#include "io/cad/find_importer.hpp"
#include "io/cad/run_importer.hpp"
#include "io/cad/snapshot.hpp"
#include "io/errors.hpp"
#include "io/writer.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

// IGES and BREP are written by the CAD kernel, out of the STEP file that the library writes itself.

namespace snug::io {

namespace {

using Code = IoError::Code;

constexpr double k_step_share = 0.3;  // of the progress

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void note_what_iges_loses(ByteSink& sink, const Assembly& assembly) {
  sink.note_loss({}, "poses and instances are not kept: every part is written where it stands, with faces of its own");
  const auto parts = assembly.parts();
  if (std::ranges::any_of(parts, [](const Part& part) { return part.path.find('/') != std::string::npos; }))
    sink.note_loss({}, "levels of paths are not kept: 'a/b' becomes 'a_b'");
  const bool odd_names = std::ranges::any_of(parts, [](const Part& part) {
    return !is_ascii(part.path) || !std::ranges::all_of(part.mesh.surfaces(), is_ascii, &Surface::name);
  });
  if (odd_names) sink.note_loss({}, "characters beyond ASCII in names are not kept");
}

void note_what_brep_loses(ByteSink& sink, const Assembly& assembly) {
  sink.note_loss({}, "names of parts and surfaces are not kept, nor is the unit: to be read in " +
                         std::string(to_string(assembly.units())));
}

/// Progress of a part of the whole.
ProgressHook scaled(ByteSink& sink, double from, double to) {
  return [&sink, from, to](double share) {
    constexpr double k_total = 1e6;
    sink.progress(static_cast<std::uint64_t>(k_total * (from + (to - from) * share)),
                  static_cast<std::uint64_t>(k_total));
  };
}

/// The assembly as STEP, from its beginning.
Result<support::Descriptor, IoError> step_of(ByteSink& sink, const Assembly& assembly, const SaveOptions& options,
                                             std::vector<Problem>& lost) {
  support::Descriptor file = nameless_file();
  support::Descriptor writing = file ? support::duplicate(file.get()) : support::Descriptor();
  const auto no_room = [&] {
    return sink.fail(Code::unwritable, "there is no room to prepare it: " + std::generic_category().message(errno));
  };
  if (!writing) return no_room();
  const SaveOptions as_step{.progress = scaled(sink, 0, k_step_share), .cancel = options.cancel, .problems = &lost};
  ByteSink step = ByteSink::onto(writing.release(), sink.path(), as_step);
  if (const auto written = write_step(step, assembly, as_step); !written) return Failure{written.error()};
  if (const auto finished = step.finish(); !finished) return Failure{finished.error()};
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return no_room();
  return file;
}

}  // namespace

Result<void, IoError> write_cad(ByteSink& sink, FileFormat format, const Assembly& assembly,
                                const SaveOptions& options) {
  const auto program = find_importer(options.cad.importer);
  if (!program) return sink.fail(Code::no_importer, program.error());
  std::vector<Problem> lost;
  const auto step = step_of(sink, assembly, options, lost);
  if (!step) return Failure{step.error()};
  auto answer = run_importer({.program = *program,
                              .arguments = {"--format", "step", "--to", std::string(to_string(format))},
                              .file = step->get(),
                              .path = sink.path(),
                              .limits = options.cad,
                              .cancel = options.cancel,
                              .progress = scaled(sink, k_step_share, 1)});
  if (!answer) return Failure{std::move(answer).error()};
  if (answer->bytes.empty()) return sink.fail(Code::import_failed, "the CAD kernel wrote nothing");
  sink.text(answer->bytes);
  for (const std::vector<Problem>& problems : {lost, answer->told})
    for (const Problem& problem : problems) sink.note_loss(problem.part, problem.text);
  format == FileFormat::iges ? note_what_iges_loses(sink, assembly) : note_what_brep_loses(sink, assembly);
  return {};
}

}  // namespace snug::io
