#pragma once

#include "support/rooms.hpp"

#include <snug/mesh.hpp>
#include <snug/progress.hpp>

#include <cstdint>
#include <vector>

namespace snug::bvh {

/// The skeleton of a two-level tree over a mesh: first its surfaces, then the triangles of each; no leaf holds triangles
/// of two surfaces. It has no boxes: those belong to vertices (see NodeBoxes), so one skeleton serves a
/// mesh whose corners have moved as well.
/// Nodes lie in depth-first order, the left child right behind its parent.
struct AabbTree {
  /// Leaves this small keep the exact tests few; smaller ones cost more boxes than they save.
  static constexpr std::size_t k_leaf_triangles = 4;

  struct Node {
    std::uint32_t begin = 0, end = 0;  ///< its triangles, in `order`
    std::uint32_t right = 0;           ///< right child, or 0 for a leaf

    [[nodiscard]] bool leaf() const noexcept { return right == 0; }
    [[nodiscard]] std::uint32_t size() const noexcept { return end - begin; }
  };
  std::vector<Node> nodes;           ///< empty for a mesh without triangles
  std::vector<std::uint32_t> order;  ///< triangle ids, leaf after leaf
};
static_assert(sizeof(AabbTree::Node) == 12);

/// Throws LoopCancelled once `cancel` is.
[[nodiscard]] AabbTree build_aabb_tree(const Mesh& mesh, const CancelToken* cancel = nullptr);

}  // namespace snug::bvh
