#include "penetration/borders.hpp"

#include "geometry/edges.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>

namespace snug::penetration {

namespace {

/// Sine of the smallest angle at which two planes define their common edge: to ten times their tolerances.
constexpr double k_crossing = 0.1;
/// An axis this close to a plane runs along it.
constexpr double k_along = 1e-9;

/// Unit normal of a flat surface: of its form, or of its largest triangle.
Vec3 normal_of(const Mesh& mesh, std::uint32_t surface) {
  if (const auto& form = mesh.surfaces()[surface].analytic) return form->axis;
  Vec3 best;
  double largest = 0;
  for (const std::uint32_t t : mesh.triangles_of(surface)) {
    const Triangle c = mesh.view().triangle(t);
    const Vec3 n = cross(c[1] - c[0], c[2] - c[0]);
    if (const double area = length_of(n); area > largest) best = (1 / area) * n, largest = area;
  }
  return best;
}

/// Is the border between a flat surface and the one across it straight?
bool is_straight(const Vec3& normal, const Vec3& normal_across, const Surface& across) {
  if (normal_across != Vec3{}) return length_of(cross(normal, normal_across)) >= k_crossing;
  return across.kind == SurfaceKind::cylinder && across.analytic && !across.analytic->recognised &&
         std::abs(dot(across.analytic->axis, normal)) <= k_along;
}

}  // namespace

Borders::Borders(const Mesh& mesh, const FaceSag& sag)
    : across_(mesh.triangles().size(), {k_unknown, k_unknown, k_unknown}),
      triangle_across_(across_),
      place_(same_place_ids(mesh.vertices())),
      curved_(mesh.triangles().size(), 0) {
  std::vector<Vec3> normals(mesh.surfaces().size());
  for (std::uint32_t s = 0; s < normals.size(); ++s)
    if (sag.flat(s)) normals[s] = normal_of(mesh, s);
  const auto note = [&](const EdgeUse& use, const EdgeUse* other) {
    SNUG_ASSERT(use.triangle < across_.size() && use.side < 3);
    const std::uint32_t own = mesh.surface_of(use.triangle);
    std::uint32_t& across = across_[use.triangle][use.side];
    across = other == nullptr ? k_unknown : mesh.surface_of(other->triangle);
    const bool straight = across != k_unknown && normals[own] != Vec3{} &&
                          (across == own || is_straight(normals[own], normals[across], mesh.surfaces()[across]));
    if (!straight) curved_[use.triangle] |= static_cast<std::uint8_t>(1U << use.side);
    if (other != nullptr) triangle_across_[use.triangle][use.side] = other->triangle;
    if (across == own) {
      across = k_inner;
      return;
    }
    for (const std::size_t end : {std::size_t{use.side}, (use.side + std::size_t{1}) % 3})
      ends_at_.push_back({place_[mesh.triangles()[use.triangle][end]], own});
  };
  for_each_edge(sorted_edge_uses(mesh.view(), place_), [&](std::span<const EdgeUse> edge) {
    const bool between_two = edge.size() == 2 && edge[0].forward != edge[1].forward;
    for (std::size_t i = 0; i < edge.size(); ++i) note(edge[i], between_two ? &edge[1 - i] : nullptr);
  });
  std::ranges::sort(ends_at_);
  ends_at_.erase(std::ranges::unique(ends_at_).begin(), ends_at_.end());
}

bool Borders::ends_at(std::uint32_t vertex, std::uint32_t surface) const noexcept {
  return std::ranges::binary_search(ends_at_, std::array{place_[vertex], surface});
}

Borders build(StructureOf<Borders> /*of*/, const ShapeData& shape, const CancelToken* cancel) {
  return {shape.mesh, shape.get<FaceSag>(cancel)};
}

}  // namespace snug::penetration
