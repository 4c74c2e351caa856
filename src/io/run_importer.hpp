#pragma once

#include "io/byte_source.hpp"

#include <snug/io.hpp>

#include <cstdint>
#include <filesystem>
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

  /// As arguments of the program; each number stands for just one double.
  [[nodiscard]] std::vector<std::string> arguments() const;
};

/// Runs the program on a file and returns the bytes of its answer, which nobody has looked at yet. Progress goes from
/// `low` to `high`. `source` is the file for messages.
[[nodiscard]] Result<std::string, IoError> run_importer(const std::filesystem::path& program,
                                                        const ImportRequest& request, int file, double low, double high,
                                                        const ByteSource& source, const LoadOptions& options);

}  // namespace snug::io
