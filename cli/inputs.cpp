#include "inputs.hpp"

#include "errors.hpp"
#include "in_unit.hpp"
#include "length.hpp"
#include "output.hpp"
#include "progress_bar.hpp"

#include <snug/io.hpp>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <string>
#include <utility>
#include <vector>

namespace snug::cli {

namespace {

/// Limits go by two names, one for programmers and one for users.
std::string without_api_names(std::string text) {
  for (const std::string_view name : {"max_seconds, ", "max_memory_bytes, ", " (max_output_bytes)"})
    if (const auto at = text.find(name); at != std::string::npos) text.erase(at, name.size());
  return text;
}

[[noreturn]] void fail_loading(const IoError& error) {
  if (error.code == IoError::Code::units_missing)
    fail_usage(error.message() + "; say which by --units, e.g. --units mm (" + k_units_list + ')');
  fail_input(without_api_names(error.message()));
}

LoadOptions load_options(const InputOptions& options, bool words) {
  LoadOptions out{.hash = true, .cad = options.cad.parse()};
  if (words) options.cad.tell_unusable_cache();
  if (!options.units.empty()) out.units = parse_unit(options.units, "--units");
  return out;
}

/// What reading has freed lies in the arenas of the threads that read, of no use to those that go on.
void return_freed_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

/// A single assembly that names no problem and no loss, which merge() would attribute to its file, is the whole as it stands: copying
/// it would hold thousands of instances twice.
MergedFiles merged(std::vector<Assembly> assemblies, const std::vector<std::string>& files) {
  const bool whole = assemblies.size() == 1 && assemblies[0].problems().empty() && assemblies[0].losses().empty();
  if (!whole) return merge(assemblies, files);
  MergedFiles out{std::move(assemblies[0]), {}};
  out.origins.reserve(out.assembly.parts().size());
  for (const Part& part : out.assembly.parts()) out.origins.push_back({0, part.path});
  return out;
}

}  // namespace

InputReader::InputReader(const InputOptions& options, bool words, const CancelToken& cancel, bool again)
    : options_(options), words_(words), cancel_(cancel), files_(options.files, load_options(options, words), again) {}

Inputs InputReader::read(const FileRefinements& refinements) {
  const InputOptions& options = options_;
  std::vector<InputFile> files;
  for (const std::string& path : options.files) files.push_back({path, std::nullopt});
  ProgressBar bar("reading", words_);
  std::vector<Assembly> assemblies;
  bool has_cad = false;
  for (auto& loaded : files_.load(refinements, bar.hook(), cancel_)) {
    if (!loaded) {
      if (loaded.error().code != IoError::Code::cancelled) fail_loading(loaded.error());
      // Any unit will do for an assembly that nobody has read; the one asked for is the least surprise.
      const std::string& named = options.to_units.empty() ? options.units : options.to_units;
      return {Assembly(named.empty() ? LengthUnit::metre : parse_unit(named, "--units")), std::move(files), true};
    }
    files[assemblies.size()].sha256 = std::move(loaded->sha256);
    files[assemblies.size()].units = loaded->units;
    files[assemblies.size()].references = std::move(loaded->referenced);
    has_cad |= is_cad(loaded->format);
    assemblies.push_back(std::move(loaded->assembly));
  }
  const LengthUnit unit =
      options.to_units.empty() ? assemblies.front().units() : parse_unit(options.to_units, "--to-units");
  for (std::size_t i = 0; i < assemblies.size(); ++i)
    if (assemblies[i].units() != unit) assemblies[i] = in_unit(assemblies[i], unit, files[i].path);
  MergedFiles whole = merged(std::move(assemblies), options.files);
  return_freed_memory();
  if (!has_cad && words_ && options.cad.shapes_meshes())
    say("--sag, --angle, --sag-limit and --bodies are for CAD files, and there is none among the inputs");
  return {std::move(whole.assembly), std::move(files), false, std::move(whole.origins), has_cad};
}

Inputs load_inputs(const InputOptions& options, bool words, const CancelToken& cancel) {
  return InputReader(options, words, cancel, false).read();
}

}  // namespace snug::cli
