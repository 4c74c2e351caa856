#pragma once

#include <snug/mesh.hpp>

#include <vector>

namespace snug::scenes {

/// Half the width of a lattice cell, and how far the bad part's pad reaches beyond it, in mm.
inline constexpr double k_half_cell = 5;
inline constexpr double k_too_long = 0.5;

/// Nine parts that fill a cell: flat pads in the middles of its six faces, and nothing else on its boundary, so that
/// parts in neighbouring cells touch, and no others, however they are turned.
[[nodiscard]] std::vector<Mesh> lattice_parts();
/// A tenth whose pad towards +x is too long.
[[nodiscard]] Mesh bad_lattice_part();

}  // namespace snug::scenes
