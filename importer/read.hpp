#pragma once

#include "document.hpp"
#include "input.hpp"

namespace snug::importer {

// Each reads the file on descriptor 0 and tells progress up to k_read_share. They throw, std::exception or
// Standard_Failure, when nothing can be had from the file.

inline constexpr double k_read_share = 0.5;

/// With `bodies`, each body of a part with several is a part.
[[nodiscard]] Document read_step(const Input& input, bool bodies);
[[nodiscard]] Document read_iges(bool bodies);
[[nodiscard]] Document read_brep();

// In the sandbox nothing can be opened, not even the file again: it is read from the descriptor as it stands.

}  // namespace snug::importer
