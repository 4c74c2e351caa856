#pragma once

#include "query/convex/depth.hpp"
#include "support/rooms.hpp"

#include <optional>

namespace snug::query {

/// What depth_between() finds, in closed form: of bodies of revolution whose axes are parallel. Two that share an axis are as deep all
/// around it, where a polytope would need a corner for each direction. Nothing if they are not such bodies.
[[nodiscard]] std::optional<DepthBounds> revolved_depth(const Convex& a, const Convex& b) noexcept;

}  // namespace snug::query
