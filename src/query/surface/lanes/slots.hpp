#pragma once

#include "tree/obb_tree.hpp"

#include <cstddef>

// From a box to what it holds.

namespace snug::detail::SNUG_LANES {

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

template <class Record>
inline void fetch(const Record* record) noexcept {
  const char* bytes = reinterpret_cast<const char*>(record);
  for (std::size_t at = 0; at < sizeof(Record); at += 64) __builtin_prefetch(bytes + at);
  __builtin_prefetch(bytes + sizeof(Record) - 1);
}
inline void fetch_below(const ObbNode* nodes, const TriangleBlock* blocks, Slot slot) noexcept {
  if (is_block(nodes, slot))
    fetch(blocks + block_of(nodes, slot));
  else
    fetch(nodes + node_of(nodes, slot));
}

}  // namespace snug::detail::SNUG_LANES
