#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/verdict.hpp>

#include <vector>

namespace snug::assembly {

/// Where the bodies lie flat against each other, with a gap of at most `gap` or an overlap of at most `overlap`: one patch
/// per pair of surfaces, ordered by them.
[[nodiscard]] std::vector<ContactPatch> contact_patches(const PosedSolid& a, const PosedSolid& b, double gap,
                                                        double overlap);

}  // namespace snug::assembly
