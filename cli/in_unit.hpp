#pragma once

#include <snug/assembly.hpp>

namespace snug::cli {

/// The assembly with every length in another unit: vertices, placements, sags, tolerances, analytic forms. Each number is
/// rounded anew, which changes it by no more than a unit in its last place. Parts that share a mesh still do. Ends the
/// program (unreadable input) where a length leaves the range of coordinates.
[[nodiscard]] Assembly in_unit(const Assembly& assembly, LengthUnit unit, const std::string& file);

}  // namespace snug::cli
