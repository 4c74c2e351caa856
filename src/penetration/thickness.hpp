#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <optional>
#include <span>

// The thickness of an overlap is the diameter of the largest ball inside both bodies. A ball that was found bounds it from
// below. Bodies that were shrunk bound it from above: a corner that moves by half of a width sweeps no point that is further
// than that from the surface, so the centre of a wider ball stays inside, and shrunk bodies that are apart share none.

namespace snug::penetration {

/// Is no ball inside both bodies wider than `width`? True is proved, false is not.
[[nodiscard]] bool no_thicker_than(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                                   double width);

/// A width between `from` and `to` that no ball inside both exceeds, the least of some that were tried.
[[nodiscard]] std::optional<double> thickness_bound(const PosedSolid& a, const PosedSolid& b,
                                                    std::span<const TrianglePair> pairs, double from, double to);

}  // namespace snug::penetration
