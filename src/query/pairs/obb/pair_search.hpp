#pragma once

#include "bvh/obb8/obb_tree.hpp"
#include "query/pairs/obb/relative_pose.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <cstdint>

namespace snug::query {

/// Two boxes that may share a point.
struct SlotPair {
  Slot a, b;
};
/// Two triangles that may share a point, by id; or, if `certain`, that cross.
struct CandidatePair {
  std::uint32_t a, b;
  bool certain;
};
/// Candidates are handed on when there are more than this; a batch may add a few before that is seen.
inline constexpr std::uint32_t k_candidates = 256, k_batch = 72;

/// Everything a walk through two trees needs, in plain pointers: the walk is compiled once for each instruction set and
/// may not instantiate code that others share.
struct PairSearch {
  const ObbNode *nodes_a, *nodes_b;
  const TriangleBlock *blocks_a, *blocks_b;
  RelativePose pose;
  SlotPair* stack;  ///< room for stack_room() pairs
  std::uint32_t stack_size = 0;
  bool best_first = false;    ///< look first where boxes overlap most, and hand on candidates at once
  CandidatePair* candidates;  ///< room for k_candidates + k_batch
  std::uint32_t candidate_count = 0;
  void* context = nullptr;
  /// Takes candidates; false ends the walk.
  bool (*take)(void* context, const CandidatePair* pairs, std::uint32_t count) = nullptr;
  /// If set, true for surfaces whose triangles need not be compared (again).
  bool (*skip)(void* context, std::uint32_t surface_a, std::uint32_t surface_b) = nullptr;
  std::uint64_t node_pairs_left = ~std::uint64_t{0};  ///< the walk pauses when none is left
  Stats counts;
};

/// A node pair puts at most 64 pairs on the stack in place of itself, and there are at most as many node pairs above one
/// another as both trees are deep.
[[nodiscard]] inline std::size_t stack_room(const ObbTree& a, const ObbTree& b) noexcept {
  return 64 * (std::size_t{a.depth} + b.depth + 2);
}

}  // namespace snug::query
