#pragma once

#include <gp_XY.hxx>

#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace snug::importer {

/// A region of the plane in triangles: those of its boundary first, then points inside.
struct PlaneMesh {
  std::vector<gp_XY> points;
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise
  std::vector<int> node_of_point;             ///< of the boundary: of points that coincide triangles have the first
  std::vector<std::pair<int, int>> boundary;  ///< its sides by their nodes, the smaller first; sorted
};

/// The time is of the order of the square of the points of all polygons; beyond this number nothing is tried.
inline constexpr std::size_t k_most_boundary_points = 4000;

/// Triangulates the region between closed polygons, of which one is around all others; none touches itself or another but in
/// points that are listed twice. Every side of a polygon is a side of one triangle, a side that is gone
/// along in both directions (a slit) of two. Sides of two triangles inside the region for which `is_too_long` holds are halved until none is left. Nothing if the polygons are not as said, if they have more than
/// k_most_boundary_points, or if it takes more than `most` triangles.
[[nodiscard]] std::optional<PlaneMesh> triangulate_loops(
    const std::vector<std::vector<gp_XY>>& loops, std::size_t most,
    const std::function<bool(const gp_XY&, const gp_XY&)>& is_too_long);

/// Halves sides of two triangles inside the region for which `is_too_long` holds until none is left; in each round those of triangles that no
/// other side of the round belongs to. False if it takes more than `most` triangles.
bool refine(PlaneMesh& mesh, std::size_t most, const std::function<bool(const gp_XY&, const gp_XY&)>& is_too_long);

}  // namespace snug::importer
