#include "mesh/crease.hpp"

#include "geometry/edges.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"
#include "support/disjoint_sets.hpp"
#include "support/parallel.hpp"
#include "support/trig.hpp"

#include <snug/predicates.hpp>

#include <cmath>
#include <limits>
#include <optional>

namespace snug::mesh {

namespace {

/// Unit normal, scaled first so that tiny and huge triangles have one too.
Vec3 unit_normal(const Triangle& t) noexcept {
  SNUG_ASSERT(!is_degenerate(t));
  const Vec3 u = 0.5 * t[1] - 0.5 * t[0], v = 0.5 * t[2] - 0.5 * t[0];
  const Vec3 n = cross(scale_to_one(max_abs(u)) * u, scale_to_one(max_abs(v)) * v);
  const double length = std::sqrt(dot(n, n));
  return length > 0 ? (1 / length) * n : Vec3{};
}

/// The neighbour of a degenerate triangle that it goes with.
struct Adopter {
  std::uint32_t triangle = 0;
  double side = -1;  ///< length of the common side
};

}  // namespace

std::vector<std::uint32_t> smooth_regions(const TriangleMeshView& mesh, double crease_angle_degrees,
                                          const CancelToken* cancel) {
  Looks looks(cancel);
  const double least_cosine = cosine(crease_angle_degrees * (k_pi / 180)) - 4 * std::numeric_limits<double>::epsilon();
  std::vector<std::optional<Vec3>> normals(mesh.triangles.size());
  for (std::size_t t = 0; t < normals.size(); ++t) {
    looks.look();
    if (const Triangle corners = mesh.triangle(t); !is_degenerate(corners)) normals[t] = unit_normal(corners);
  }

  DisjointSets sets(mesh.triangles.size());
  std::vector<Adopter> adopters(mesh.triangles.size());
  const auto offer = [&](std::uint32_t degenerate, std::uint32_t neighbour, double side) {
    if (!normals[degenerate] && side > adopters[degenerate].side) adopters[degenerate] = {neighbour, side};
  };
  const std::vector<std::uint32_t> place_of = same_place_ids(mesh.vertices, cancel);
  for_each_edge(sorted_edge_uses(mesh, place_of, cancel), [&](std::span<const EdgeUse> uses) {
    looks.look();
    if (uses.size() != 2) return;
    const std::uint32_t s = uses[0].triangle, t = uses[1].triangle;
    if (normals[s] && normals[t]) {
      // Neighbours that run along their edge in the same direction are flipped against one another.
      const double facing = uses[0].forward == uses[1].forward ? -1 : 1;
      if (facing * dot(*normals[s], *normals[t]) >= least_cosine) sets.join(s, t);
      return;
    }
    const double side = max_abs(0.5 * mesh.vertices[uses[0].hi] - 0.5 * mesh.vertices[uses[0].lo]);
    offer(s, t, side);
    offer(t, s, side);
  });
  for (std::uint32_t t = 0; t < adopters.size(); ++t)
    if (adopters[t].side >= 0) sets.join(t, adopters[t].triangle);
  const auto number = sets.numbered();
  return {number.begin(), number.end()};
}

}  // namespace snug::mesh
