#pragma once

#include "query/pairs/obb/oriented.hpp"
#include "query/pairs/obb/posed_triangle.hpp"
#include "support/assert.hpp"
#include "support/fuel.hpp"
#include "support/rooms.hpp"

#include <algorithm>

namespace snug::query {

/// What PairSearch and ClosestSearch have in common.
template <class Search>
void fill_in(Search& search, const OrientedPair& bodies) noexcept {
  const ObbTree &a = bodies.tree_a, &b = bodies.tree_b;
  search.nodes_a = a.nodes.data(), search.nodes_b = b.nodes.data();
  search.blocks_a = a.blocks.data(), search.blocks_b = b.blocks.data();
  search.pose = bodies.relative;
}

/// True if there is nothing to search: a body without triangles, no fuel (and then nothing is known), or bounds that keep the
/// bodies apart.
[[nodiscard]] inline bool ends_at_once(const OrientedPair& bodies, Fuel& fuel) noexcept {
  return bodies.empty() || fuel.portion() == 0 || bodies.relative.bounds_apart();
}

/// A search that begins at the roots.
[[nodiscard]] inline PairSearch pair_search(const OrientedPair& bodies, SearchMemory& memory) {
  memory.stack.resize(std::max(memory.stack.size(), stack_room(bodies.tree_a, bodies.tree_b)));
  memory.candidates.resize(k_candidates + k_batch);
  PairSearch search;
  fill_in(search, bodies);
  search.stack = memory.stack.data();
  search.candidates = memory.candidates.data();
  search.stack[search.stack_size++] = {0, 0};
  return search;
}

/// Decides candidates exactly.
struct Decider {
  PosedTriangle a, b;
  std::uint64_t exact_tests = 0;

  explicit Decider(const PosedPair& bodies) noexcept : a(bodies.a), b(bodies.b) {}

  Relation decide(const CandidatePair& candidate) noexcept {
    if (candidate.certain) return Relation::crossing;
    ++exact_tests;
    return relation(a.get(candidate.a), b.get(candidate.b));
  }
};

inline void tell(Stats* stats, const Stats& walked, std::uint64_t exact_tests) noexcept {
  if (stats == nullptr) return;
  *stats += walked;
  stats->exact_tests += exact_tests;
}

/// Hands what `search` finds to a Taker, a Decider with a static take() and perhaps skip() as PairSearch wants them.
template <class Taker>
void give_to(PairSearch& search, Taker& taker) noexcept {
  search.context = &taker;
  search.take = Taker::take;
  if constexpr (requires { Taker::skip; }) search.skip = Taker::skip;
}

/// Walks until all is done, the taker has enough or the fuel is spent.
inline void walk(const OrientedPair& bodies, PairSearch& search, Fuel& fuel) {
  for (;;) {
    const std::uint64_t portion = fuel.portion();  // who may not look at all does not know that there is nothing
    if (portion == 0 || search.stack_size == 0) return;
    search.node_pairs_left = portion;
    const bool more = bodies.kernels.walk(search);
    SNUG_ASSERT(search.candidate_count <= k_candidates + k_batch && search.node_pairs_left <= portion);
    fuel.use(portion - search.node_pairs_left);
    if (!more) return;
  }
}

/// Searches both bodies from the roots.
template <class Taker>
void search_all(const OrientedPair& bodies, SearchMemory& memory, Taker& taker, Fuel& fuel, Stats* stats,
                bool best_first = false) {
  PairSearch search = pair_search(bodies, memory);
  give_to(search, taker);
  search.best_first = best_first;
  walk(bodies, search, fuel);
  tell(stats, search.counts, taker.exact_tests);
}

}  // namespace snug::query
