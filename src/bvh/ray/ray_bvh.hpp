#pragma once

#include "bvh/obb8/obb_tree.hpp"
#include "support/rooms.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace snug::bvh {

// Boxes along the axes for rays, over the nodes and blocks of the tree of oriented boxes: a ray is tested against eight
// of them in a third of the time, and is not turned into the frame of each. Which node holds what, and the triangles in
// their blocks, are the other tree's; so building this one is one pass over the triangles, and so is refitting it.

/// The boxes of the children of the node with the same number, in coordinates of the tree, rounded to the nearest float:
/// walks allow for that. Lanes beyond the last hold boxes from infinity to minus infinity, which nothing meets. A few
/// triangles of a surface fill little of their box but lie between two planes close together, so blocks have those as well:
/// n.x is from `low` to `low` + `thickness` * `unit` steps of 1/64 there. All are zero for children that are nodes.
/// Where to find the children stands here again, to be at hand.
struct alignas(64) RayNode {
  static constexpr double k_steps = 64;

  float lo[3][k_lanes], hi[3][k_lanes];
  std::int8_t normal[3][k_lanes];
  std::int16_t low[k_lanes];
  std::int8_t thickness[k_lanes];  ///< never negative
  float unit;
  std::uint32_t first_node, first_block;
  std::uint8_t inner, count;
  std::uint16_t unused;
};
static_assert(sizeof(RayNode) == 256 && offsetof(RayNode, lo) == 0 && offsetof(RayNode, hi) == 24 * sizeof(float));

/// The corners of the triangles of a block, as vertices of the mesh: an exact test need not ask the mesh for the triangle first,
/// and then wait for its vertices.
struct BlockCorners {
  std::uint32_t vertex[k_lanes][3];
};

/// No box of a tree is further from its middle; the tree ends at 1 along each axis.
inline constexpr double k_ray_tree_radius = 1.7330;

struct RayBvh {
  CacheAlignedVector<RayNode> nodes;
  CacheAlignedVector<BlockCorners> corners;
  double unit = 1;  ///< of the mesh's coordinates in those of the tree, a power of two
  double margin =
      0;  ///< how far anything may be from where its floats say it is: PosedTree, for a pose without translation
  [[nodiscard]] std::size_t bytes() const noexcept {
    return nodes.capacity() * sizeof(RayNode) + corners.capacity() * sizeof(BlockCorners);
  }
};

[[nodiscard]] RayBvh build_ray_bvh(const ObbTree& tree, const Mesh& mesh);
/// The same boxes anew, in the memory there is, for a tree that was refitted.
void refit_ray_bvh(RayBvh& bvh, const ObbTree& tree, const Mesh& mesh);
/// What is wrong, if anything: every box must hold the triangles below it to within 2^-24, and the planes theirs.
[[nodiscard]] std::optional<std::string> validate(const RayBvh& bvh, const ObbTree& tree, const Mesh& mesh);

}  // namespace snug::bvh
