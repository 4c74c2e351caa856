#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <optional>
#include <span>
#include <vector>

namespace snug::penetration {

/// Shells of one body that lie inside another without meeting its surface.
struct ShellsInside {
  std::vector<std::uint32_t> certain;  ///< closed shells inside closed shells, further than `margin` from every surface
  bool doubtful = false;               ///< the same of a shell that is open, or of what an open shell would enclose
  bool flush = false;  ///< one that is inside, but so close to a surface that rounding may have put it there
};

/// A corner of the first shell of `of` for whose corner holds(corner) is true. Of shells that do not meet the surface of another body, one
/// corner speaks for all.
template <class Holds>
[[nodiscard]] std::optional<Point3> corner_of_shell_inside(const PosedSolid& of, Holds&& holds) {
  for (std::uint32_t shell = 0; shell < of.topology().shells(); ++shell)
    if (const Point3 corner = of.corner_of_shell(shell); holds(corner)) return corner;
  return std::nullopt;
}

/// `met`, per shell of `of`: a triangle of it shares a point with `in`.
[[nodiscard]] ShellsInside shells_inside(const PosedSolid& of, const PosedSolid& in, const std::vector<bool>& met,
                                         double margin);

/// The shells of one side that take part in pairs.
[[nodiscard]] std::vector<bool> shells_met(const PosedSolid& of, std::span<const TrianglePair> pairs,
                                           std::uint32_t TrianglePair::* side);

}  // namespace snug::penetration
