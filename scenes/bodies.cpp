#include "scenes/bodies.hpp"

#include "scenes/vectors.hpp"

#include <algorithm>
#include <utility>

namespace snug::scenes {

Mesh falling_body(const Mesh& mesh, double radius) {
  // Sum of the tetrahedra between the origin and each triangle.
  double six_volumes = 0;
  Vec3 moment;
  for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
    const Triangle c = mesh.view().triangle(t);
    const double v = dot(c[0], cross(c[1], c[2]));
    six_volumes += v;
    moment = moment + (v / 4) * (c[0] + c[1] + c[2]);
  }
  const Vec3 centre = (1 / six_volumes) * moment;
  double reach = 0;
  for (const Point3& p : mesh.vertices()) reach = std::max(reach, length(p - centre));
  MeshInput input;
  for (const Point3& p : mesh.vertices()) input.vertices.push_back((radius / reach) * (p - centre));
  input.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  for (const Surface& s : mesh.surfaces())
    input.surfaces.push_back({.name = s.name, .kind = SurfaceKind::unknown, .sag = {}});
  for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) input.surface_of_triangle.push_back(mesh.surface_of(t));
  return Mesh::build(std::move(input)).value();
}

}  // namespace snug::scenes
