#pragma once

#include "document.hpp"

#include <istream>

namespace snug::importer {

// Each reads the file on descriptor 0 and tells progress up to k_read_share. They throw, std::exception or
// Standard_Failure, when nothing can be had from the file.

inline constexpr double k_read_share = 0.5;

[[nodiscard]] Document read_step();
[[nodiscard]] Document read_iges();
[[nodiscard]] Document read_brep();

/// Descriptor 0 by name, for readers that open files themselves.
inline constexpr const char* k_input_path = "/proc/self/fd/0";

}  // namespace snug::importer
