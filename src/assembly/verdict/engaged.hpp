#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

namespace snug::assembly {

/// Do two faces on a common axis or centre lie over each other, rather than one behind the other, as the head of a screw
/// and the bore for its shank? Then some triangle's middle is no further from the other face than their radii differ, by
/// `play`, sags aside.
[[nodiscard]] bool engaged(const PosedSolid& a, std::uint32_t surface_a, const PosedSolid& b, std::uint32_t surface_b,
                           double play);

}  // namespace snug::assembly
