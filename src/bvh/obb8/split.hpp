#pragma once

#include <snug/mesh.hpp>
#include <snug/shape.hpp>

#include "support/parallel.hpp"
#include "support/rooms.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace snug::bvh {

/// A binary tree over the triangles of a mesh, first its surfaces, then the triangles of each. Every leaf is a block of at
/// most eight triangles of one surface.
struct SplitTree {
  struct Node {
    std::uint32_t first = 0;            ///< of the triangles of a leaf, in `order`; of others, room for a number
    std::uint32_t count = 0;            ///< of the triangles of a leaf
    std::uint32_t left = 0, right = 0;  ///< children; both 0 for a leaf
    std::uint32_t surface = 0;          ///< or k_mixed_surfaces
    float area = 0;                     ///< of the box around it

    [[nodiscard]] bool leaf() const noexcept { return right == 0; }
  };
  std::vector<Node> nodes;  ///< the root first
  std::vector<std::uint32_t> order;
};

/// Puts a part that was made on its own, its root first, in the place of a node; the others go to the end of the list.
/// Returns how far their numbers have moved.
std::uint32_t join_nodes(const std::vector<SplitTree::Node>& part, std::uint32_t root,
                         std::vector<SplitTree::Node>& nodes);

/// Splits where the surface area heuristic expects the least work, counting work in blocks. `vertices` are the mesh's,
/// in the coordinates of its tree, four numbers each. The same for every thread count.
[[nodiscard]] SplitTree split_mesh(const Mesh& mesh, std::span<const float> vertices, ShapeOptions::Quality quality,
                                   Team& team);

}  // namespace snug::bvh
