#include <snug/io.hpp>
#include "io/part_paths.hpp"

#include <utility>

namespace snug {

MergedFiles merge(std::span<const Assembly> assemblies, std::span<const std::string> files) {
  if (assemblies.empty() || assemblies.size() != files.size())
    detail::stop("no assemblies are merged, or not as many as there are names of files");
  const auto paths = io::merged_paths(assemblies, files);
  MergedFiles out{Assembly(assemblies.front().units()), {}};
  Assembly& whole = out.assembly;
  for (std::size_t i = 0; i < assemblies.size(); ++i) {
    // In every build: going on would scale parts in silence.
    if (assemblies[i].units() != whole.units()) detail::stop("assemblies in different units are merged");
    const auto parts = assemblies[i].parts();
    const auto first_frame = static_cast<std::uint32_t>(whole.frames().size());
    for (const Frame& frame : assemblies[i].frames()) (void)whole.add_frame(frame).value();
    for (std::size_t k = 0; k < parts.size(); ++k) {
      Part part = parts[k];
      part.path = paths[i][k];
      if (part.frame) *part.frame += first_frame;
      (void)whole.add(std::move(part)).value();
      out.origins.push_back({i, parts[k].path});
    }
    for (const Problem& problem : assemblies[i].problems()) {
      const auto id = assemblies[i].find(problem.part);
      if (id)
        whole.add_problem({paths[i][*id], problem.text});
      else
        whole.add_problem({{}, files[i] + ": " + problem.text});
    }
    for (const Problem& loss : assemblies[i].losses()) {
      // What was lost has a path in the file, but often no part in the assembly.
      const auto id = assemblies[i].find(loss.part);
      whole.add_loss({id ? paths[i][*id] : loss.part, files[i] + ": " + loss.text});
    }
  }
  return out;
}

}  // namespace snug
