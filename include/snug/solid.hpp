#pragma once

#include <snug/export.hpp>
#include <snug/vec.hpp>

#include <cstdint>

namespace snug {

/// True if every edge is used equally often in both directions, corners being the same when their coordinates are
/// equal: the mesh bounds a volume. Triangles two of whose corners fall together count for nothing; needles, whose
/// corners are distinct but collinear, have sides like any other. A mesh without sides is not closed, nor is one with a NaN or
/// with a triangle that names a vertex that is not there.
[[nodiscard]] SNUG_API bool is_closed(const TriangleMeshView& mesh);

/// Where a point lies relative to a closed mesh.
enum class Side : std::uint8_t {
  outside,
  boundary,
  inside,
  invalid,  ///< nothing is known: a coordinate is NaN or infinite, or a triangle names a vertex that is not there
};

struct PointLocation {
  Side side = Side::outside;
  int winding = 0;  ///< how often the mesh winds around the point; meaningless unless inside or outside
};
/// Exact for any finite input: the mesh may be turned any way and the point placed anywhere, in line with vertices and
/// edges. `inside` means a winding number other than zero, so cavities count as outside and overlapping shells as one
/// body. Precondition: is_closed(mesh); without it the answer has no meaning.
[[nodiscard]] SNUG_API PointLocation locate(const Point3& p, const TriangleMeshView& mesh) noexcept;

}  // namespace snug
