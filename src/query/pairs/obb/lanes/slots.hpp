#pragma once

#include "bvh/obb8/obb_tree.hpp"

#include <cstddef>

// From a box to what it holds.

namespace snug::lanes::SNUG_LANES {

inline bool is_block(const ObbNode* nodes, Slot slot) noexcept { return (slot & 7) >= nodes[slot >> 3].inner; }
inline std::uint32_t block_of(const ObbNode* nodes, Slot slot) noexcept {
  const ObbNode& parent = nodes[slot >> 3];
  return parent.first_block + (slot & 7) - parent.inner;
}
inline std::uint32_t node_of(const ObbNode* nodes, Slot slot) noexcept {
  return nodes[slot >> 3].first_node + (slot & 7);
}
inline std::uint32_t surface_of(const ObbNode* nodes, const TriangleBlock* blocks, Slot slot) noexcept {
  return is_block(nodes, slot) ? blocks[block_of(nodes, slot)].surface : nodes[node_of(nodes, slot)].surface;
}

/// Where to find what the boxes of one node hold.
struct Below {
  std::uint32_t inner;  ///< lanes from here on hold blocks
  Slot slot_zero;       ///< lane l is slot slot_zero + l
  const char *first_node, *first_block;

  Below(const ObbNode* nodes, const TriangleBlock* blocks, std::uint32_t node) noexcept
      : inner(nodes[node].inner),
        slot_zero(node * 8),
        first_node(reinterpret_cast<const char*>(nodes + nodes[node].first_node)),
        first_block(reinterpret_cast<const char*>(blocks + nodes[node].first_block)) {}

  /// Asks for the memory of what is in a lane: three cache lines of a node, four and a little more of a block.
  void fetch(std::uint32_t lane) const noexcept {
    const char* const bytes =
        lane < inner ? first_node + lane * sizeof(ObbNode) : first_block + (lane - inner) * sizeof(TriangleBlock);
    for (int line = 0; line < 4; ++line) __builtin_prefetch(bytes + 64 * line);
  }
};

}  // namespace snug::lanes::SNUG_LANES
