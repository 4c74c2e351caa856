#pragma once

#include "verdict/posed_solid.hpp"

#include <snug/verdict.hpp>

#include <vector>

namespace snug::detail {

/// Where the bodies lie flat against each other, closer than `band`: one patch per pair of surfaces, ordered by them.
[[nodiscard]] std::vector<ContactPatch> contact_patches(const PosedSolid& a, const PosedSolid& b, double band);

}  // namespace snug::detail
