#include "model/used_bounds.hpp"

#include <snug/pose.hpp>

#include <algorithm>
#include <array>
#include <cmath>

// Meshes of many million triangles pass through here on their way from the file, so these loops are written without
// branches and along memory, which lets the compiler use vector instructions.

namespace snug::detail {

namespace {

constexpr std::size_t k_sides = 6;

/// For each side of the box, a vertex that lies on it.
std::array<std::uint32_t, k_sides> vertices_on_sides(std::span<const Point3> vertices, const Aabb& box) {
  const std::array<double, k_sides> wanted{box.lo.x, box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z};
  std::array<std::uint32_t, k_sides> found{};
  for (std::size_t side = 0; side < k_sides; ++side) {
    const auto axis = side % 3;
    found[side] = static_cast<std::uint32_t>(
        std::ranges::find_if(vertices, [&](const Point3& v) { return v[axis] == wanted[side]; }) - vertices.begin());
  }
  return found;
}

bool is_used(std::span<const Index3> triangles, std::uint32_t vertex) {
  constexpr std::size_t k_block = 256;  // found or not is asked once per block, so that the rest has no branches
  for (std::size_t start = 0; start < triangles.size(); start += k_block) {
    std::uint32_t hits = 0;
    for (const Index3& t : triangles.subspan(start, std::min(k_block, triangles.size() - start)))
      hits |= static_cast<std::uint32_t>(t[0] == vertex) | static_cast<std::uint32_t>(t[1] == vertex) |
              static_cast<std::uint32_t>(t[2] == vertex);
    if (hits != 0) return true;
  }
  return false;
}

}  // namespace

bool all_in_range(std::span<const Point3> vertices) noexcept {
  const auto good = [](double v) { return static_cast<std::uint64_t>(std::abs(v) <= k_max_coordinate); };  // not NaN
  std::uint64_t all = 1;
  for (const Point3& v : vertices) all &= good(v.x) & good(v.y) & good(v.z);
  return all != 0;
}

bool all_indices_below(std::span<const Index3> triangles, std::size_t vertex_count) noexcept {
  std::uint32_t highest = 0;
  for (const Index3& t : triangles) highest = std::max({highest, t[0], t[1], t[2]});
  return triangles.empty() || highest < vertex_count;
}

Aabb used_bounds(const TriangleMeshView& mesh) noexcept {
  // Nearly always all vertices are used, at least the outermost: then the box of all is the box of those used, and only
  // these six have to be looked for among the triangles.
  Aabb all;
  for (const Point3& v : mesh.vertices) all.include(v);
  if (std::ranges::all_of(vertices_on_sides(mesh.vertices, all),
                          [&](std::uint32_t v) { return is_used(mesh.triangles, v); }))
    return all;
  Aabb used;
  for (const Index3& t : mesh.triangles)
    for (const std::uint32_t i : t) used.include(mesh.vertices[i]);
  return used;
}

}  // namespace snug::detail
