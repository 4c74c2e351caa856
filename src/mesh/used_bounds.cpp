#include "mesh/used_bounds.hpp"

#include "support/assert.hpp"
#include "support/watched.hpp"

#include <snug/progress.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

// Meshes of many million triangles pass through here on their way from the file, so these loops are written without
// branches and along memory, which lets the compiler use vector instructions.

namespace snug::mesh {

namespace {

constexpr std::size_t k_block = 512;

/// The box of all vertices, and for each of its sides (low x, y, z, high x, y, z) a vertex that lies on it.
struct Extremes {
  Aabb box;
  std::array<std::uint32_t, 6> vertex{};
};

/// What is known of a run of vertices, or of triangles.
struct Part {
  Aabb box;
  std::array<std::size_t, 6> block_of_side{};
  bool good = true;  ///< for vertices all_in_range(), for triangles all_indices_below()

  void add(const Aabb& other, const std::array<std::size_t, 6>& blocks) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (other.lo[axis] < box.lo[axis]) block_of_side[axis] = blocks[axis];
      if (other.hi[axis] > box.hi[axis]) block_of_side[axis + 3] = blocks[axis + 3];
    }
    box.include(other.lo);
    box.include(other.hi);
  }
};

Part survey_vertices(std::span<const Point3> vertices, std::size_t start, std::size_t end) {
  SNUG_ASSERT(start <= end && end <= vertices.size());
  Part part;
  for (; start < end; start += k_block) {
    const auto block = vertices.subspan(start, std::min(k_block, end - start));
    Aabb box;
    for (const Point3& v : block) box.include(v);
    std::array<std::size_t, 6> here;
    here.fill(start);
    part.add(box, here);
    part.good = part.good && all_in_range(block);
  }
  return part;
}

/// Of all vertices, from the parts in their order.
Extremes extremes(std::span<const Point3> vertices, std::span<const Part> parts) {
  Part all;
  for (const Part& part : parts) all.add(part.box, part.block_of_side);
  Extremes out{all.box, {}};
  for (std::size_t side = 0; side < 6; ++side) {
    const std::size_t axis = side % 3;
    const double wanted = side < 3 ? all.box.lo[axis] : all.box.hi[axis];
    std::size_t v = all.block_of_side[side];
    SNUG_ASSERT(v < vertices.size());
    while (vertices[v][axis] != wanted) ++v;
    SNUG_ASSERT(v < vertices.size() && v - all.block_of_side[side] < k_block);
    out.vertex[side] = static_cast<std::uint32_t>(v);
  }
  return out;
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

Aabb used_bounds(const TriangleMeshView& mesh, const Extremes& all) {
  // Nearly always all vertices are used, at least the outermost: then the box of all is the box of those used, and only
  // these six have to be looked for among the triangles.
  if (std::ranges::all_of(all.vertex, [&](std::uint32_t v) { return is_used(mesh, v); })) return all.box;
  Aabb used;
  for (const Index3& t : mesh.triangles)
    for (const std::uint32_t i : t) used.include(mesh.vertices[i]);
  return used;
}

}  // namespace

bool all_in_range(std::span<const Point3> vertices) noexcept {
  // Without the sign, larger numbers have larger bits and NaN the largest; the difference of one that is too large has
  // its upper bit set. Integers, because they let the compiler use vector instructions.
  constexpr auto k_most = std::bit_cast<std::uint64_t>(k_max_coordinate);
  const auto excess = [](double v) { return k_most - (std::bit_cast<std::uint64_t>(v) & ~(std::uint64_t{1} << 63)); };
  std::uint64_t wrong = 0;
  for (const Point3& v : vertices) wrong |= excess(v.x) | excess(v.y) | excess(v.z);
  return wrong >> 63 == 0;
}

bool all_indices_below(std::span<const Index3> triangles, std::size_t vertex_count) noexcept {
  std::uint32_t highest = 0;
  for (const Index3& t : triangles) highest = std::max({highest, t[0], t[1], t[2]});
  return triangles.empty() || highest < vertex_count;
}

std::optional<Survey> survey(const TriangleMeshView& mesh, const Watch& watch) {
  // Multiples of a block, and some hundred microseconds' work: a thread takes fifty to start.
  constexpr std::size_t k_vertices = 128 * k_block, k_triangles = 256 * k_block;
  const std::size_t of_vertices = (mesh.vertices.size() + k_vertices - 1) / k_vertices;
  const std::size_t of_triangles = (mesh.triangles.size() + k_triangles - 1) / k_triangles;
  const std::size_t chunks = of_vertices + of_triangles;
  std::vector<Part> parts(chunks);
  const bool complete =
      for_each_chunk_watched(chunks, chunks < 8 ? 1 : hardware_threads(), watch, [&](std::size_t chunk) {
        if (chunk < of_vertices) {
          const std::size_t start = chunk * k_vertices;
          parts[chunk] = survey_vertices(mesh.vertices, start, std::min(start + k_vertices, mesh.vertices.size()));
        } else {
          const std::size_t start = (chunk - of_vertices) * k_triangles;
          const std::size_t count = std::min(k_triangles, mesh.triangles.size() - start);
          parts[chunk].good = all_indices_below(mesh.triangles.subspan(start, count), mesh.vertices.size());
        }
      });
  if (!complete) return std::nullopt;
  const auto is_good = [](const Part& part) { return part.good; };
  const std::span vertex_parts = std::span(parts).first(of_vertices);
  Survey out;
  out.vertices_good = std::ranges::all_of(vertex_parts, is_good);
  out.indices_good = std::ranges::all_of(std::span(parts).subspan(of_vertices), is_good);
  if (out.vertices_good && out.indices_good && !mesh.triangles.empty())
    out.used_bounds = used_bounds(mesh, extremes(mesh.vertices, vertex_parts));
  return out;
}

Aabb used_bounds(const TriangleMeshView& mesh) noexcept {
  SNUG_ASSERT(all_in_range(mesh.vertices) && all_indices_below(mesh.triangles, mesh.vertices.size()));
  const Part all = survey_vertices(mesh.vertices, 0, mesh.vertices.size());
  return used_bounds(mesh, extremes(mesh.vertices, {&all, 1}));
}

}  // namespace snug::mesh
