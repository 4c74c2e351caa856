#pragma once

#include "query/convex/depth.hpp"
#include "support/rooms.hpp"

#include <optional>

namespace snug::query {

/// What depth_between() finds, of bodies of revolution whose axes are parallel: in the plane of the axes. Two that share an axis are as
/// deep all around it, where a polytope would need a corner for each direction. Nothing if they are not such bodies.
[[nodiscard]] std::optional<DepthBounds> revolved_depth(const Convex& a, const Convex& b, DepthMemory& memory,
                                                        double width);

}  // namespace snug::query
