#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <span>
#include <vector>

namespace snug::penetration {

/// Shells of one body that lie inside another without meeting its surface.
struct ShellsInside {
  std::vector<std::uint32_t> certain;  ///< closed shells inside closed shells, further than `margin` from every surface
  bool doubtful = false;               ///< the same of a shell that is open, or of what an open shell would enclose
  bool flush = false;  ///< one that is inside, but so close to a surface that rounding may have put it there
};

/// `met`, per shell of `of`: a triangle of it shares a point with `in`.
[[nodiscard]] ShellsInside shells_inside(const PosedSolid& of, const PosedSolid& in, const std::vector<bool>& met,
                                         double margin);

/// The shells of one side that take part in pairs.
[[nodiscard]] std::vector<bool> shells_met(const PosedSolid& of, std::span<const TrianglePair> pairs,
                                           std::uint32_t TrianglePair::* side);

}  // namespace snug::penetration
