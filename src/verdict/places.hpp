#pragma once

#include "verdict/posed_solid.hpp"

#include <snug/query.hpp>

#include <functional>
#include <span>

namespace snug::detail {

/// Calls visit with places where two bodies may have a common inside, until it returns false: on both sides of where
/// triangles meet, near and far; below the middle of triangles that reach into the common box; on a grid over that box.
/// If interiors overlap, some part of one surface lies inside the other body, and its rim is where the surfaces meet;
/// that is why these places find overlaps between aligned faces, where no two triangles cross.
void for_each_place(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                    const std::function<bool(const Point3&)>& visit);

/// What two boxes share; empty if nothing.
[[nodiscard]] Aabb common_box(const Aabb& a, const Aabb& b) noexcept;

}  // namespace snug::detail
