#pragma once

#include "scene/box_tree.hpp"
#include "support/rooms.hpp"

#include <cstdint>

namespace snug::scene {

/// Two nodes of one level of a tree, or two of its boxes; the same twice for what is inside one node.
struct BoxPair {
  std::uint32_t a, b;
};

/// A walk for pairs of boxes, in plain pointers: it runs as code for whatever instruction set, which must not instantiate
/// anything that others share.
struct BoxPairWalk {
  static constexpr std::uint32_t k_room = 1024;

  const BoxNode* levels[BoxTree::k_most_levels];
  std::uint32_t height = 0;
  /// Where to begin: pairs of nodes of this level.
  const BoxPair* start = nullptr;
  std::uint32_t start_count = 0, start_level = 0;
  /// Nodes of this level are handed over instead of opened, those compared with themselves among them; -1: boxes are.
  std::int32_t stop_level = -1;
  float margin = 0;  ///< boxes no further apart than this along any axis count
  BoxPair found[k_room + 64];
  void* context = nullptr;
  void (*take)(BoxPairWalk& walk, std::uint32_t count) = nullptr;
};

/// The same for one box against all.
struct BoxQueryWalk {
  static constexpr std::uint32_t k_room = 256;

  const BoxNode* levels[BoxTree::k_most_levels];
  std::uint32_t height = 0;
  FloatBox box;
  std::uint32_t found[k_room + 8];
  void* context = nullptr;
  void (*take)(BoxQueryWalk& walk, std::uint32_t count) = nullptr;
};

}  // namespace snug::scene
