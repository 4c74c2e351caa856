#pragma once

#include <snug/vec.hpp>

#include <functional>
#include <vector>

namespace snug::scenes {

struct TriangleSoup {
  std::vector<Point3> vertices;
  std::vector<Index3> triangles;
};

/// The surface where `field` (negative inside) is zero, by marching through the tetrahedra of a grid of the given width:
/// closed, manifold and outward, as long as the body stays inside the bounds.
[[nodiscard]] TriangleSoup polygonise(const std::function<double(const Point3&)>& field, const Aabb& bounds,
                                      double width);

/// Draws every vertex towards the middle of its neighbours and back to the surface, `times` over: even triangles.
void even_out(TriangleSoup& surface, const std::function<double(const Point3&)>& field, double width, int times);

}  // namespace snug::scenes
