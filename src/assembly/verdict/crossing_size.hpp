#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/verdict.hpp>

#include <span>

namespace snug::assembly {

/// How long and how deep the crossing of two bodies is of which one is not closed. `directions` are tried for the way out.
[[nodiscard]] Crossing crossing_size(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                                     std::span<const Vec3> directions, double resolution);

}  // namespace snug::assembly
