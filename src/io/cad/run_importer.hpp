#pragma once

#include "support/rooms.hpp"

#include <snug/io.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace snug::io {

/// What the importer is asked for. Parts have become meshes by now: see CadModel.
struct ImportRequest {
  FileFormat format = FileFormat::step;
  std::optional<LengthUnit> unit;  ///< of a file that has none of its own
  double sag_metres = 0, angle_degrees = 0;
  struct Refinement {
    std::uint32_t mesh = 0, face = 0;
    double sag_metres = 0;
  };
  std::vector<Refinement> refinements = {};
  bool bodies = false;           ///< each body of a part with several is a part
  std::uint64_t list_bytes = 0;  ///< at the end of the descriptor, where several files stand in it

  /// As arguments of the program; each number stands for just one double.
  [[nodiscard]] std::vector<std::string> arguments() const;
};

/// A run of the program on an open file.
struct ImportRun {
  std::filesystem::path program;
  std::vector<std::string> arguments;  ///< without limits
  int file = -1;                       ///< stays open
  std::string path;                    ///< for messages: what is read, or written in the end
  const CadOptions& limits;
  const CancelToken* cancel = nullptr;
  ProgressHook progress = {};  ///< from 0 to 1
  /// What keeps the program from running, where it seems not to have begun.
  std::function<std::optional<std::string>()> why_it_cannot_run = {};
};
struct ImportAnswer {
  std::string bytes;  ///< which nobody has looked at yet
  std::vector<Problem>
      told;  ///< losses that it told in lines, as it does when it writes files; at most k_most_problems
};
[[nodiscard]] Result<ImportAnswer, IoError> run_importer(const ImportRun& run);

}  // namespace snug::io
