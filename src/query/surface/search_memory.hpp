#pragma once

#include "query/surface/pair_search.hpp"

#include <snug/query.hpp>

#include <vector>

namespace snug::detail {

/// What a search keeps from call to call.
struct SearchMemory {
  std::vector<SlotPair> stack;
  std::vector<CandidatePair> candidates;
  std::vector<TrianglePair> pairs, sorting;
};

/// Sorts by (a, b); `spare` is working memory.
void sort_pairs(std::vector<TrianglePair>& pairs, std::vector<TrianglePair>& spare);

}  // namespace snug::detail
