#pragma once

#include "shape/convex.hpp"
#include "shape/shape_data.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>

#include <vector>

namespace snug::query {

/// A mesh as a convex body: itself if it is one, otherwise its hull.
struct ConvexMesh {
  /// Closed, and no vertex lies beyond the plane of a triangle by more than the rounding of its coordinates. Meshes that would take long
  /// to look at count as dented.
  bool is_hull = false;
  /// By how much its depth in anything may be less than that of its hull.
  double dent = 0;
  std::vector<Point3> centred;  ///< vertices of triangles, seen from the middle of the bounds
};
[[nodiscard]] ConvexMesh build(StructureOf<ConvexMesh>, const ShapeData& shape, const CancelToken* cancel);

/// A bounded primitive, or the hull of a mesh, in a frame with the axes of the world and the origin at `origin`.
[[nodiscard]] Convex hull_in_world_axes(const Posed& body, const Point3& origin, double scale);

}  // namespace snug::query
