#pragma once

#include "load_in_parallel.hpp"
#include "options.hpp"

#include <snug/assembly.hpp>
#include <snug/report.hpp>

#include <optional>
#include <string>
#include <vector>

namespace snug::cli {

struct Inputs {
  Assembly assembly;
  std::vector<InputFile> files;
  bool cancelled = false;                ///< the assembly lacks what was not read
  std::vector<PartOrigin> origins = {};  ///< part by part
  bool has_cad = false;                  ///< faces were meshed for it
};

/// Reads files into one assembly (see merge()). Files in another unit than the first, or than the one asked for, are
/// converted, which the problems tell. Ends the program when a file can not be read, when a unit is missing, or when one is
/// named although every file has another of its own.
class InputReader {
 public:
  /// Borrows the options and the token. `again`: read() will be called several times.
  InputReader(const InputOptions& options, bool words, const CancelToken& cancel, bool again);
  [[nodiscard]] Inputs read(const FileRefinements& refinements = {});

 private:
  const InputOptions& options_;
  bool words_;
  const CancelToken& cancel_;
  InputFiles files_;
};

/// Reads them once.
[[nodiscard]] Inputs load_inputs(const InputOptions& options, bool words, const CancelToken& cancel);

}  // namespace snug::cli
