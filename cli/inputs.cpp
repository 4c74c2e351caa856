#include "inputs.hpp"

#include "errors.hpp"
#include "in_unit.hpp"
#include "length.hpp"
#include "output.hpp"
#include "progress_bar.hpp"

#include <snug/io.hpp>

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>
#include <utility>

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

/// Paths of the merged assembly, file by file and part by part.
std::vector<std::vector<std::string>> merged_paths(const std::vector<Assembly>& assemblies,
                                                   const std::vector<InputFile>& files) {
  std::unordered_map<std::string_view, std::size_t> files_with;
  for (const Assembly& assembly : assemblies)
    for (const Part& part : assembly.parts()) ++files_with[part.path];

  // Those that keep their path come first: a path made up for another part must not take theirs.
  std::unordered_set<std::string> taken;
  for (const auto& [path, count] : files_with)
    if (count == 1) taken.emplace(path);

  std::vector<std::vector<std::string>> paths(assemblies.size());
  for (std::size_t i = 0; i < assemblies.size(); ++i) {
    const std::string stem = std::filesystem::path(files[i].path).stem().string();
    for (const Part& part : assemblies[i].parts()) {
      if (files_with[part.path] == 1) {
        paths[i].push_back(part.path);
        continue;
      }
      const std::string prefixed = stem + '/' + part.path;
      std::string path = prefixed;
      for (unsigned number = 2; !taken.insert(path).second; ++number)
        path = prefixed + " (" + std::to_string(number) + ')';
      paths[i].push_back(std::move(path));
    }
  }
  return paths;
}

Assembly merged(const std::vector<Assembly>& assemblies, const std::vector<InputFile>& files,
                std::vector<PartOrigin>& origins) {
  const auto paths = merged_paths(assemblies, files);
  Assembly whole(assemblies.front().units());
  for (std::size_t i = 0; i < assemblies.size(); ++i) {
    const auto parts = assemblies[i].parts();
    const auto first_frame = static_cast<std::uint32_t>(whole.frames().size());
    for (const Frame& frame : assemblies[i].frames()) whole.add_frame(frame);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      Part part = parts[k];
      part.path = paths[i][k];
      if (part.frame) *part.frame += first_frame;
      (void)whole.add(std::move(part)).value();
      origins.push_back({i, parts[k].path});
    }
    for (const Problem& problem : assemblies[i].problems()) {
      const auto id = assemblies[i].find(problem.part);
      if (id)
        whole.add_problem({paths[i][*id], problem.text});
      else
        whole.add_problem({{}, files[i].path + ": " + problem.text});
    }
    for (const Problem& loss : assemblies[i].losses()) {
      // What was lost has a path in the file, but often no part in the assembly.
      const auto id = assemblies[i].find(loss.part);
      whole.add_loss({id ? paths[i][*id] : loss.part, files[i].path + ": " + loss.text});
    }
  }
  return whole;
}

}  // namespace

Inputs load_inputs(const InputOptions& options, bool words, const CancelToken& cancel,
                   const FileRefinements& refinements) {
  LoadOptions load_options{.cad = options.cad.parse()};
  if (words) options.cad.tell_unusable_cache();
  if (!options.units.empty()) load_options.units = parse_unit(options.units, "--units");

  std::vector<InputFile> files;
  for (const std::string& path : options.files) files.push_back({path, std::nullopt});
  ProgressBar bar("reading", words);
  std::vector<Assembly> assemblies;
  bool has_cad = false;
  for (auto& loaded : load_in_parallel(options.files, load_options, refinements, bar.hook(), cancel)) {
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
  std::vector<PartOrigin> origins;
  Assembly whole = merged(assemblies, files, origins);
  if (!has_cad && words && options.cad.shapes_meshes())
    say("--sag, --angle, --sag-limit and --bodies are for CAD files, and there is none among the inputs");
  return {std::move(whole), std::move(files), false, std::move(origins), has_cad};
}

}  // namespace snug::cli
