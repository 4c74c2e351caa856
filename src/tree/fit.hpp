#pragma once

#include "tree/obb_tree.hpp"

#include <cstdint>

namespace snug::detail {

/// Blocks that lie one after the other.
struct BlockRange {
  std::uint32_t begin = 0, end = 0;
};

/// Sets origin and unit of a tree's coordinates.
void choose_frame(const Mesh& mesh, ObbTree& tree);
/// Fills blocks and boxes of a tree that has its frame and knows which triangles go where.
void fit_obb_tree(const Mesh& mesh, ObbTree& tree, unsigned threads);

}  // namespace snug::detail
