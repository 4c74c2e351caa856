#pragma once

#include "support/rooms.hpp"

#include <snug/progress.hpp>
#include <snug/vec.hpp>

#include <optional>
#include <span>

namespace snug::mesh {

/// True if every coordinate is a number of at most k_max_coordinate.
[[nodiscard]] bool all_in_range(std::span<const Point3> vertices) noexcept;

/// True if no triangle names a vertex at or beyond `vertex_count`.
[[nodiscard]] bool all_indices_below(std::span<const Index3> triangles, std::size_t vertex_count) noexcept;

/// Both of these, and used_bounds() when both hold, in one pass over the memory; the threads there are share large
/// meshes. The answer does not depend on them.
struct Survey {
  bool vertices_good = false, indices_good = false;
  Aabb used_bounds;
};
/// Nothing if cancelled.
[[nodiscard]] std::optional<Survey> survey(const TriangleMeshView& mesh, const Watch& watch);

/// Box of the vertices that triangles use. Precondition: all_in_range() and all_indices_below().
[[nodiscard]] Aabb used_bounds(const TriangleMeshView& mesh) noexcept;

}  // namespace snug::mesh
