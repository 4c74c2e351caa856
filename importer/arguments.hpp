#pragma once

#include "sandbox.hpp"

#include <snug/assembly.hpp>
#include <snug/io.hpp>
#include <snug/result.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snug::importer {

struct Refinement {
  std::uint32_t mesh = 0, face = 0;
  double sag_metres = 0;
};

struct Arguments {
  bool version = false, isolation = false;
  FileFormat format = FileFormat::step;
  std::optional<FileFormat> to;  ///< IGES or BREP: a file in that format instead of triangles
  double sag_metres = 0;
  double angle_degrees = 0;
  LengthUnit unit = LengthUnit::millimetre;  ///< of files that have none of their own
  std::vector<Refinement> refinements;
  bool bodies = false;           ///< each body of a part with several is a part
  std::uint64_t list_bytes = 0;  ///< at the end of descriptor 0, where several files stand there; see Input
  SandboxLimits limits;
};

/// The error is in words.
[[nodiscard]] Result<Arguments, std::string> parse_arguments(std::span<char* const> words);

}  // namespace snug::importer
