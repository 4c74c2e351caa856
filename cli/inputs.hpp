#pragma once

#include "load_in_parallel.hpp"
#include "options.hpp"

#include <snug/assembly.hpp>
#include <snug/report.hpp>

#include <optional>
#include <string>
#include <vector>

namespace snug::cli {

/// Where a part of the merged assembly comes from.
struct PartOrigin {
  std::size_t file = 0;
  std::string path;  ///< in that file
};

struct Inputs {
  Assembly assembly;
  std::vector<InputFile> files;
  bool cancelled = false;                ///< the assembly lacks what was not read
  std::vector<PartOrigin> origins = {};  ///< part by part
  bool has_cad = false;                  ///< faces were meshed for it
};

/// Reads the files into one assembly. Parts keep their paths; a path that occurs in several files gets the file's stem
/// before it, and a number where that is not enough. Files in another unit than the first, or than the one asked for, are
/// converted, which the problems tell. Ends the program when a file can not be read, when a unit is missing, or when one is
/// named although every file has another of its own.
[[nodiscard]] Inputs load_inputs(const InputOptions& options, bool words, const CancelToken& cancel,
                                 const FileRefinements& refinements = {});

}  // namespace snug::cli
