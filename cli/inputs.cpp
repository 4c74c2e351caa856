#include "inputs.hpp"

#include "errors.hpp"
#include "length.hpp"
#include "progress_bar.hpp"

#include <snug/io.hpp>

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace snug::cli {

namespace {

[[noreturn]] void fail_loading(const IoError& error) {
  if (error.code == IoError::Code::units_missing)
    fail_usage(error.message() + "; say which by --units, e.g. --units mm (" + k_units_list + ')');
  fail_input(error.message());
}

/// All must be in one unit; nothing is converted behind the user's back.
void expect_one_unit(const std::vector<Assembly>& assemblies, const std::vector<InputFile>& files) {
  for (std::size_t i = 1; i < assemblies.size(); ++i)
    if (assemblies[i].units() != assemblies[0].units())
      fail_input("the files differ in their unit: " + files[0].path + " is in " +
                 std::string(to_string(assemblies[0].units())) + ", " + files[i].path + " in " +
                 std::string(to_string(assemblies[i].units())) + "; convert one of them");
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
  expect_one_unit(assemblies, files);
  const auto paths = merged_paths(assemblies, files);
  Assembly whole(assemblies.front().units());
  for (std::size_t i = 0; i < assemblies.size(); ++i) {
    const auto parts = assemblies[i].parts();
    for (std::size_t k = 0; k < parts.size(); ++k) {
      (void)whole.add({paths[i][k], parts[k].mesh, parts[k].pose, parts[k].color}).value();
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

bool Inputs::has_cad() const {
  // Meshes are the truth; only CAD faces have a tolerance.
  return std::ranges::any_of(assembly.parts(), [](const Part& part) {
    return !part.mesh.surfaces_by_crease() &&
           std::ranges::any_of(part.mesh.surfaces(), [](const Surface& surface) { return surface.tolerance > 0; });
  });
}

Inputs load_inputs(const InputOptions& options, bool words, const CancelToken& cancel,
                   const FileRefinements& refinements) {
  LoadOptions load_options{.cad = options.cad.parse()};
  if (!options.units.empty()) load_options.units = parse_unit(options.units, "--units");

  std::vector<InputFile> files;
  for (const std::string& path : options.files) files.push_back({path, std::nullopt});
  ProgressBar bar("reading", words);
  std::vector<Assembly> assemblies;
  for (auto& loaded : load_in_parallel(options.files, load_options, refinements, bar.hook(), cancel)) {
    if (!loaded) {
      if (loaded.error().code != IoError::Code::cancelled) fail_loading(loaded.error());
      // Any unit will do for an assembly that nobody has read.
      return {Assembly(load_options.units.value_or(LengthUnit::metre)), std::move(files), true};
    }
    files[assemblies.size()].sha256 = std::move(loaded->sha256);
    assemblies.push_back(std::move(loaded->assembly));
  }
  std::vector<PartOrigin> origins;
  Assembly whole = merged(assemblies, files, origins);
  return {std::move(whole), std::move(files), false, std::move(origins)};
}

}  // namespace snug::cli
