#pragma once

#include "support/rooms.hpp"

#include <snug/progress.hpp>
#include <snug/vec.hpp>

#include <cstdint>
#include <vector>

namespace snug::mesh {

/// Per triangle the id of its smooth region, regions numbered by their first triangle. Neighbours across an edge used
/// by exactly two triangles are joined when the angle between their normals is at most the crease angle (give or take a few
/// ulps of its cosine). A degenerate triangle has no normal: it goes with its neighbour across its longest side, and so
/// never makes a bridge between two regions. Throws LoopCancelled once `cancel` is.
[[nodiscard]] std::vector<std::uint32_t> smooth_regions(const TriangleMeshView& mesh, double crease_angle_degrees,
                                                        const CancelToken* cancel = nullptr);

}  // namespace snug::mesh
