#pragma once

#include "support/cache_aligned.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>
#include <snug/shape.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace snug::bvh {

// A tree of oriented boxes, eight to a node, over blocks of up to eight triangles. Two-level: no block holds triangles of
// two surfaces, and below a node of one surface there are only blocks of it. Coordinates are those of the mesh, moved so
// that the middle of its bounds is the origin and scaled by a power of two so that all lie in [-1, 1]. They are kept as
// 16-bit steps from an origin of each node, small enough to hold many in a cache; what a box or block loses by that is
// added to the box when it is built, or to the bound when triangles are compared (docs/exactness.md).

inline constexpr std::uint32_t k_lanes = 8;
inline constexpr std::uint32_t k_mixed_surfaces = ~std::uint32_t{0};

/// Eight children: the boxes first, then where to find them. Children that are nodes come before those that are blocks.
struct ObbNode {
  std::int16_t quaternion[4][k_lanes];  ///< w, x, y, z of the box's axes, of any length but zero
  std::int16_t centre[3][k_lanes];      ///< steps from `origin`
  std::int16_t half[3][k_lanes];        ///< half extents in steps, rounded up
  float origin[3];
  float step;
  std::uint32_t first_node;   ///< child i is node first_node + i if i < inner,
  std::uint32_t first_block;  ///< block first_block + (i - inner) otherwise
  std::uint32_t surface;      ///< the one surface of all triangles below, or k_mixed_surfaces
  std::uint8_t inner, count;
  std::uint16_t unused;
};
static_assert(sizeof(ObbNode) == 192);

/// Up to eight triangles of one surface. Lanes beyond the last hold points, not triangles.
struct TriangleBlock {
  std::int16_t corner[3][3][k_lanes];  ///< [corner][axis][triangle], steps from `origin`
  float origin[3];
  float step;
  std::uint32_t id[k_lanes];  ///< of its triangles, rising
  std::uint32_t surface;
  std::uint32_t count;
};
static_assert(sizeof(TriangleBlock) == 200);

/// One box of a node, by node * 8 + lane. Slot 0 holds the whole mesh.
using Slot = std::uint32_t;
/// Slots have a bit to spare, which walks use.
inline constexpr std::size_t k_most_nodes = std::size_t{1} << 28;

struct ObbTree {
  Point3 centre;     ///< origin of the tree's coordinates, in the mesh's
  int exponent = 0;  ///< a tree coordinate times 2^exponent is one of the mesh
  Aabb bounds;       ///< of the mesh, here too: bodies apart are told apart without a look at their meshes
  CacheAlignedVector<ObbNode> nodes;
  CacheAlignedVector<TriangleBlock> blocks;
  std::uint32_t depth = 0;  ///< nodes on the longest way down
  double cost = 0;          ///< area of all boxes beside that of the triangles: what a search has to look at
  double built_cost = 0;    ///< the same when the tree was built rather than refitted

  [[nodiscard]] bool empty() const noexcept { return blocks.empty(); }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return nodes.capacity() * sizeof(ObbNode) + blocks.capacity() * sizeof(TriangleBlock);
  }
};

[[nodiscard]] ObbTree build_obb_tree(const Mesh& mesh, const ShapeOptions& options);
/// The same tree, or none if cancelled.
[[nodiscard]] std::optional<ObbTree> build_obb_tree(const Mesh& mesh, const ShapeOptions& options, const Watch& watch);
/// The same tree with new boxes, for a mesh with the same triangles and surfaces and its vertices elsewhere; none if cancelled.
[[nodiscard]] std::optional<ObbTree> refit_obb_tree(const ObbTree& tree, const Mesh& mesh, const ShapeOptions& options,
                                                    const CancelToken* cancel);

/// What is wrong with the tree of a mesh, if anything.
[[nodiscard]] std::optional<std::string> validate(const ObbTree& tree, const Mesh& mesh);

}  // namespace snug::bvh
