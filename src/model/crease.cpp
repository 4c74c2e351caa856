#include "model/crease.hpp"

#include "geometry/edges.hpp"
#include "geometry/vec_ops.hpp"
#include "support/disjoint_sets.hpp"
#include "support/trig.hpp"

#include <cmath>
#include <limits>

namespace snug::detail {

namespace {

/// Unit normal, scaled first so that tiny and huge triangles have one too; zero for degenerate triangles.
Vec3 unit_normal(const Triangle& t) noexcept {
  const Vec3 u = t[1] - t[0], v = t[2] - t[0];
  const Vec3 n = cross(scale_to_one(max_abs(u)) * u, scale_to_one(max_abs(v)) * v);
  const double length = std::sqrt(dot(n, n));
  return length > 0 ? (1 / length) * n : Vec3{};
}

}  // namespace

std::vector<std::uint32_t> smooth_regions(const TriangleMeshView& mesh, double crease_angle_degrees) {
  const double least_cosine = cosine(crease_angle_degrees * (k_pi / 180));
  std::vector<Vec3> normals(mesh.triangles.size());
  for (std::size_t t = 0; t < normals.size(); ++t) normals[t] = unit_normal(mesh.triangle(t));

  DisjointSets sets(mesh.triangles.size());
  const std::vector<std::uint32_t> place_of = same_place_ids(mesh.vertices);
  for_each_edge(sorted_edge_uses(mesh, place_of), [&](std::span<const EdgeUse> uses) {
    if (uses.size() != 2) return;
    const std::uint32_t s = uses[0].triangle, t = uses[1].triangle;
    const bool flat = normals[s] == Vec3{} || normals[t] == Vec3{};
    // Neighbours that run along their edge in the same direction are flipped against one another.
    const double cosine_between = dot(normals[s], normals[t]) * (uses[0].forward == uses[1].forward ? -1 : 1);
    if (flat || cosine_between >= least_cosine - 4 * std::numeric_limits<double>::epsilon()) sets.join(s, t);
  });
  return sets.numbered();
}

}  // namespace snug::detail
