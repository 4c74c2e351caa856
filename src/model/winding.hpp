#pragma once

#include <snug/inspect.hpp>

#include <cstdint>
#include <vector>

namespace snug::detail {

/// Two triangles that meet at an edge nobody else uses.
struct Neighbours {
  std::uint32_t s, t;
  bool agree;  ///< they run along the edge in opposite directions, as triangles of one winding do
};

/// Marks the triangles wound against the larger part of what they are linked to. In a tie the region's first triangle
/// is taken to be right.
[[nodiscard]] std::vector<bool> wound_against_region(std::size_t triangles, std::span<const Neighbours> links);

/// Adds to `flipped` the triangles of closed shells that are inside out without being cavities of other closed shells.
void mark_inverted_shells(const TriangleMeshView& mesh, const MeshReport& report, std::vector<bool>& flipped);

}  // namespace snug::detail
