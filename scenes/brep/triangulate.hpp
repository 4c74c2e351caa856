#pragma once

#include <snug/predicates.hpp>
#include <snug/vec.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace snug::scenes::brep {

/// Counter-clockwise triangles that fill the region inside loops[0] and outside the others, using every point of the
/// loops and none besides, no triangle flat, Delaunay as far as the loops allow. Indices count through all loops, one
/// after the other. Loops may wind either way; they must be simple and must not meet.
[[nodiscard]] std::vector<Index3> triangulate(std::span<const std::vector<Point2>> loops);

}  // namespace snug::scenes::brep
