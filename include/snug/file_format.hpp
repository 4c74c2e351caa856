#pragma once

#include <snug/export.hpp>
#include <snug/io.hpp>
#include <snug/result.hpp>

#include <filesystem>

namespace snug {

/// What load() would take a file for, by its content first and its suffix second. Reads no more than its beginning.
[[nodiscard]] SNUG_API Result<FileFormat, IoError> file_format(const std::filesystem::path& path);

/// True for formats whose faces are meshed: STEP, IGES and BREP.
[[nodiscard]] constexpr bool is_cad(FileFormat format) noexcept {
  return format == FileFormat::step || format == FileFormat::iges || format == FileFormat::brep;
}

}  // namespace snug
