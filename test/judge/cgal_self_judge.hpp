#pragma once

#include <snug/vec.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace snug::judge {

/// What CGAL's Polygon_mesh_processing::self_intersections() finds in a mesh that is a manifold once corners with equal
/// coordinates are one vertex: pairs a < b, sorted; (t, t) for degenerate triangles, which it leaves at that. Nothing and
/// false where the mesh is no manifold.
struct CgalSelf {
  bool manifold = false;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
};
[[nodiscard]] CgalSelf cgal_self_intersections(const TriangleMeshView& mesh);

/// Do two triangles share a point that lies on no corner or side which both have? By constructing, in rationals, what they
/// share; degenerate ones are the segment or point they cover. Triangles of non-zero area with the same corners do.
[[nodiscard]] bool cgal_beyond_shared(const Triangle& a, const Triangle& b);

}  // namespace snug::judge
