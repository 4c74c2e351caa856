#pragma once

#include "query/pairs/obb/pair_search.hpp"
#include "support/rooms.hpp"

namespace snug::query {

/// Two boxes and a lower bound on the distance of what is in them, in the unit of the pair and beyond ClosestSearch::base.
struct SlotPairBound {
  SlotPair pair;
  float bound;
};
/// The same for two triangles.
struct TrianglePairBound {
  std::uint32_t a, b;
  float bound;
};

/// A walk for the closest two triangles, in plain pointers like PairSearch.
struct ClosestSearch {
  const ObbNode *nodes_a, *nodes_b;
  const TriangleBlock *blocks_a, *blocks_b;
  RelativePose pose;
  SlotPairBound* stack;  ///< room for stack_room() pairs
  std::uint32_t stack_size = 0;
  /// Nothing is closer than this. Bounds count from here: of small bodies far apart, floats could not tell distances apart.
  double base = 0;
  float best;  ///< nothing further than this beyond the base matters; no less than the distance it stands for
  /// From here on, beyond the base, nothing is closer than the best by first digits, and only smaller ids matter.
  float as_close = __builtin_inff();
  std::uint32_t best_a = 0, best_b = 0;                        ///< ids of the best
  const std::uint32_t *least_a = nullptr, *least_b = nullptr;  ///< smallest id below each node; needed for as_close
  /// From a to b between the closest points so far, in the frame of a, of unit length; zero before there are any. What is
  /// near lies mostly across this direction, so gaps along it are good bounds, and any direction gives a true one.
  double direction[3] = {0, 0, 0};
  float along[3] = {0, 0, 0};  ///< the same, rounded

  void look_along(const Vec3& unit_vector) noexcept {
    direction[0] = unit_vector.x, direction[1] = unit_vector.y, direction[2] = unit_vector.z;
    for (int i = 0; i < 3; ++i) along[i] = static_cast<float>(direction[i]);
  }
  TrianglePairBound candidates[64];
  void* context = nullptr;
  /// Takes the triangle pairs of two blocks that may be close enough, nearest bound first, and lowers `best`; false ends
  /// the walk.
  bool (*take)(ClosestSearch& search, std::uint32_t count) = nullptr;
  std::uint64_t node_pairs_left = ~std::uint64_t{0};  ///< the walk ends when none is left
  Stats counts;
};

}  // namespace snug::query
