#pragma once

#include <snug/vec.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace snug::judge {

struct ClosedMesh {
  std::string_view name;
  std::vector<Point3> vertices;
  std::vector<Index3> triangles;

  [[nodiscard]] TriangleMeshView view() const { return {vertices, triangles}; }
};

/// Cube, sphere, torus, a cube with a cavity, two overlapping cubes, a cube with degenerate triangles, and an
/// octahedron, whose corners and edges all line up with the axes.
[[nodiscard]] std::vector<ClosedMesh> closed_meshes();

/// The 24 rotations that map the axes onto axes: exact in doubles.
struct AxisRotation {
  std::array<std::size_t, 3> from{};  ///< axis i of the result is axis from[i], times sign[i]
  std::array<double, 3> sign{};
  [[nodiscard]] Point3 operator()(const Point3& p) const {
    return {sign[0] * p[from[0]], sign[1] * p[from[1]], sign[2] * p[from[2]]};
  }
};
[[nodiscard]] std::vector<AxisRotation> axis_rotations();

}  // namespace snug::judge
