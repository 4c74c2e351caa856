#include "model/used_bounds.hpp"

#include <snug/pose.hpp>

#include <algorithm>
#include <array>
#include <cmath>

// Meshes of many million triangles pass through here on their way from the file, so these loops are written without
// branches and along memory, which lets the compiler use vector instructions.

namespace snug::detail {

namespace {

constexpr std::size_t k_block = 512;

/// The box of all vertices, and for each of its sides (low x, y, z, high x, y, z) a vertex that lies on it.
struct Extremes {
  Aabb box;
  std::array<std::uint32_t, 6> vertex{};
};

Extremes extremes(std::span<const Point3> vertices) {
  Extremes all;
  std::array<std::size_t, 6> block_of_side{};
  for (std::size_t start = 0; start < vertices.size(); start += k_block) {
    Aabb box;
    for (const Point3& v : vertices.subspan(start, std::min(k_block, vertices.size() - start))) box.include(v);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (box.lo[axis] < all.box.lo[axis]) block_of_side[axis] = start;
      if (box.hi[axis] > all.box.hi[axis]) block_of_side[axis + 3] = start;
    }
    all.box.include(box.lo);
    all.box.include(box.hi);
  }
  for (std::size_t side = 0; side < 6; ++side) {
    const std::size_t axis = side % 3;
    const double wanted = side < 3 ? all.box.lo[axis] : all.box.hi[axis];
    std::size_t v = block_of_side[side];
    while (vertices[v][axis] != wanted) ++v;
    all.vertex[side] = static_cast<std::uint32_t>(v);
  }
  return all;
}

bool is_in(std::span<const Index3> triangles, std::uint32_t vertex) {
  std::uint32_t hits = 0;
  for (const Index3& t : triangles)
    hits |= static_cast<std::uint32_t>(t[0] == vertex) | static_cast<std::uint32_t>(t[1] == vertex) |
            static_cast<std::uint32_t>(t[2] == vertex);
  return hits != 0;
}

/// Most files list triangles in about the order of their vertices, so the search starts where that suggests and goes on
/// to both sides.
bool is_used(const TriangleMeshView& mesh, std::uint32_t vertex) {
  const std::size_t blocks = (mesh.triangles.size() + k_block - 1) / k_block;
  const auto start = static_cast<std::size_t>(static_cast<double>(vertex) / static_cast<double>(mesh.vertices.size()) *
                                              static_cast<double>(blocks));
  const auto holds = [&](std::size_t block) {
    const std::size_t first = block * k_block;
    return is_in(mesh.triangles.subspan(first, std::min(k_block, mesh.triangles.size() - first)), vertex);
  };
  for (std::size_t away = 0; away <= blocks; ++away) {
    if (start + away < blocks && holds(start + away)) return true;
    if (away > 0 && away <= start && start - away < blocks && holds(start - away)) return true;
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
  const Extremes all = extremes(mesh.vertices);
  if (std::ranges::all_of(all.vertex, [&](std::uint32_t v) { return is_used(mesh, v); })) return all.box;
  Aabb used;
  for (const Index3& t : mesh.triangles)
    for (const std::uint32_t i : t) used.include(mesh.vertices[i]);
  return used;
}

}  // namespace snug::detail
