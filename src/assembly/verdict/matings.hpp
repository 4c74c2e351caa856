#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/verdict.hpp>

#include <array>
#include <span>
#include <vector>

namespace snug::assembly {

/// The relations of all pairs of faces of known analytic form that come within `reach`, or within what their sags and
/// tolerances add up to, of each other; ordered. `known` are pairs that do, ordered: they need no search. Bodies without
/// such faces cost nothing.
[[nodiscard]] std::vector<SurfaceMating> matings(const PosedSolid& a, const PosedSolid& b, double reach,
                                                 std::span<const std::array<std::uint32_t, 2>> known);

/// The same relations of the same bodies with a and b exchanged.
void exchange(std::vector<SurfaceMating>& matings);
/// Multiplies all lengths.
void scale(std::vector<SurfaceMating>& matings, double factor) noexcept;

}  // namespace snug::assembly
