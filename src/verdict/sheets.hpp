#pragma once

#include "verdict/posed_solid.hpp"

#include <snug/query.hpp>

#include <optional>
#include <span>

namespace snug::detail {

/// A place where triangles cross, at least one of them of an open shell, by more than `noise`; nothing if there is none.
[[nodiscard]] std::optional<Point3> crossing_of_sheets(const PosedSolid& a, const PosedSolid& b,
                                                       std::span<const TrianglePair> pairs, double noise);

/// Does a translation no longer than `reach`, along one of the directions, part the surfaces?
[[nodiscard]] bool parts_within(const PosedSolid& a, const PosedSolid& b, std::span<const Vec3> directions,
                                double reach);

}  // namespace snug::detail
