#include "face_sag.hpp"

#include "edge_sag.hpp"
#include "geometry/analytic/deviation.hpp"
#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>

namespace snug::importer {

namespace {

double distance(const Point3& a, const Point3& b) { return std::sqrt(geometry::dot(a - b, a - b)); }

Triangle triangle_of(const FaceMesh& face, const std::array<int, 3>& corners, std::span<const Point3> vertices) {
  const auto at = [&](std::size_t i) {
    return vertices[face.vertex_of_node[static_cast<std::size_t>(corners[i]) - 1]];
  };
  return {{at(0), at(1), at(2)}};
}

/// Points of the surface over corners, edges and inside of every triangle, each against its triangle.
double sampled_deviation(const FaceMesh& face, const BRepAdaptor_Surface& surface, std::span<const Point3> vertices) {
  constexpr double k_third = 1.0 / 3, k_sixth = 1.0 / 6;
  constexpr std::array<std::array<double, 3>, 13> k_weights{{{1, 0, 0},
                                                             {0, 1, 0},
                                                             {0, 0, 1},
                                                             {.5, .5, 0},
                                                             {0, .5, .5},
                                                             {.5, 0, .5},
                                                             {k_third, k_third, k_third},
                                                             {1 - 2 * k_sixth, k_sixth, k_sixth},
                                                             {k_sixth, 1 - 2 * k_sixth, k_sixth},
                                                             {k_sixth, k_sixth, 1 - 2 * k_sixth},
                                                             {.4, .4, .2},
                                                             {.2, .4, .4},
                                                             {.4, .2, .4}}};
  double largest = 0;
  for (const std::array<int, 3>& t : face.corners) {
    const Triangle triangle = triangle_of(face, t, vertices);
    for (const auto& [a, b, c] : k_weights) {
      const gp_XY uv =
          face.nodes->UVNode(t[0]).XY() * a + face.nodes->UVNode(t[1]).XY() * b + face.nodes->UVNode(t[2]).XY() * c;
      const gp_Pnt s = surface.Value(uv.X(), uv.Y());
      const Point3 p{s.X(), s.Y(), s.Z()};
      largest = std::max(largest, distance(p, geometry::closest_point(p, triangle)));
    }
  }
  return largest;
}

double bounded_deviation(const FaceMesh& face, const FaceForm& form, std::span<const Point3> vertices) {
  double largest = 0;
  for (const std::array<int, 3>& t : face.corners)
    largest = std::max(largest, geometry::deviation(form.kind, *form.analytic, triangle_of(face, t, vertices)));
  return largest;
}

/// Smallest radius of curvature of the face's form, at most. A cone gets ever tighter towards its apex.
double tightest_radius(const FaceForm& form) {
  switch (form.kind) {
    case SurfaceKind::plane:
      return std::numeric_limits<double>::infinity();
    case SurfaceKind::cylinder:
    case SurfaceKind::sphere:
      return form.analytic->radius;
    case SurfaceKind::torus:
      return std::min(form.analytic->minor_radius, std::max(0.0, form.analytic->radius - form.analytic->minor_radius));
    default:
      return 0;
  }
}

/// From how far the triangles are off the endless surface and the face's edges off theirs. Points of the face over its
/// triangles are within the first; those in the sliver between an edge and its chord are within the larger of the two,
/// but for the bending of the surface across the sliver, which is as wide as both together. Never more than the sum.
double together(double inside, double edge, double radius) {
  const double width = inside + edge;
  if (!(radius > 0)) return width;
  return std::min(width, std::max(inside, edge) + width * width / radius);
}

}  // namespace

Sag measure_sag(const FaceMesh& face, const FaceForm& form, const BRepAdaptor_Surface& surface,
                std::span<const Point3> vertices) {
  const Sag edge = measure_edges(face, vertices);
  Sag sag;
  if (form.analytic) {
    sag.value = together(bounded_deviation(face, form, vertices), edge.value, tightest_radius(form)) + form.residual;
    sag.estimated = edge.estimated || form.analytic->recognised;
  } else {
    sag = {std::max(sampled_deviation(face, surface, vertices), edge.value), true};
  }
  return sag;
}

}  // namespace snug::importer
