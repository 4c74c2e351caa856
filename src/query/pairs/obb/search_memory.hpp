#pragma once

#include "query/distance/closest_search.hpp"
#include "query/pairs/obb/pair_search.hpp"
#include "query/pairs/obb/surface_pair_set.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <vector>

namespace snug::query {

/// What a search keeps from call to call.
struct SearchMemory {
  std::vector<SlotPair> stack;
  std::vector<CandidatePair> candidates;
  std::vector<SlotPairBound> bounds;
  std::vector<TrianglePair> pairs, sorting;
  std::vector<SurfacePair> surfaces;
  SurfacePairSet met;
  std::vector<std::uint32_t> least_a, least_b;  ///< smallest id below each node
};

/// Sorts by (a, b); `spare` is working memory.
void sort_pairs(std::vector<TrianglePair>& pairs, std::vector<TrianglePair>& spare);

}  // namespace snug::query
