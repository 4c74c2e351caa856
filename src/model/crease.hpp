#pragma once

#include <snug/vec.hpp>

#include <cstdint>
#include <vector>

namespace snug::detail {

/// Per triangle the id of its smooth region, regions numbered by their first triangle. Neighbours across an edge used
/// by exactly two triangles are joined when the angle between their normals is at most the crease angle; degenerate
/// triangles have no normal and join every neighbour.
[[nodiscard]] std::vector<std::uint32_t> smooth_regions(const TriangleMeshView& mesh, double crease_angle_degrees);

}  // namespace snug::detail
