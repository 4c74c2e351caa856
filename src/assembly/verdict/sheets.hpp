#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <optional>
#include <span>

namespace snug::assembly {

/// A place where triangles cross, at least one of them of an open shell, by more than `noise`; nothing if there is none.
/// `firmly`: by more than the sags of their faces as well.
[[nodiscard]] std::optional<Point3> crossing_of_sheets(const PosedSolid& a, const PosedSolid& b,
                                                       std::span<const TrianglePair> pairs, double noise,
                                                       bool firmly = false);

/// A place where an open shell that meets a solid lies inside it, deeper than `noise`.
struct SheetInside {
  std::optional<Point3> place;
  bool comes_out = false;  ///< a triangle of it also has a corner outside
};
/// `side` says which side of the pairs the sheet is.
[[nodiscard]] SheetInside sheet_inside(const PosedSolid& sheet, const PosedSolid& solid,
                                       std::span<const TrianglePair> pairs, std::uint32_t TrianglePair::* side,
                                       double noise);

/// Does a translation no longer than `reach`, along one of the directions, part the bodies: surfaces that share no point,
/// and nothing inside?
[[nodiscard]] bool parts_within(const PosedSolid& a, const PosedSolid& b, std::span<const Vec3> directions,
                                double reach);

}  // namespace snug::assembly
