#pragma once

#include "degenerate_pairs.hpp"
#include "judge_support.hpp"

#include <array>
#include <cstdint>

namespace snug::judge {

/// Triangles with small integer coordinates, where every degeneracy can be had exactly.
using Cell = std::array<std::int64_t, 3>;
using CellTriangle = std::array<Cell, 3>;
struct CellPair {
  CellTriangle a, b;
  int fraction_bits = 0;  ///< cells count in units of 2^-fraction_bits
};

/// A pair of the class, turned by a random integer matrix so that no axis is special. Coordinates stay below about
/// 2^(7 + fraction_bits).
[[nodiscard]] CellPair grid_pair(PairClass pair_class, Random& random);

}  // namespace snug::judge
