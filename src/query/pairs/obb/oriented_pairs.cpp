#include "query/pairs/obb/parallel_search.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::query {

namespace {

struct Collector : Decider {
  std::vector<TrianglePair>& pairs;

  Collector(const OrientedPair& bodies, std::vector<TrianglePair>& out) noexcept : Decider(bodies), pairs(out) {}

  static bool take(void* context, const CandidatePair* candidates, std::uint32_t count) {
    auto& self = *static_cast<Collector*>(context);
    for (std::uint32_t i = 0; i < count; ++i)
      if (const Relation how = self.decide(candidates[i]); how != Relation::disjoint)
        self.pairs.push_back({candidates[i].a, candidates[i].b, how});
    return true;
  }
};

struct Asker : Decider {
  const PairVisitor& visit;

  Asker(const OrientedPair& bodies, const PairVisitor& visitor) noexcept : Decider(bodies), visit(visitor) {}

  static bool take(void* context, const CandidatePair* candidates, std::uint32_t count) {
    auto& self = *static_cast<Asker*>(context);
    for (std::uint32_t i = 0; i < count; ++i)
      if (const Relation how = self.decide(candidates[i]); how != Relation::disjoint)
        if (!self.visit({candidates[i].a, candidates[i].b, how})) return false;
    return true;
  }
};

void collect_in_parallel(const OrientedPair& bodies, SearchMemory& memory, unsigned threads, Fuel& fuel, Stats* stats) {
  ParallelSearch search(bodies, threads);
  Collector on_top(bodies, memory.pairs);
  search.open(memory, on_top);
  std::vector<std::vector<TrianglePair>> found(search.parts());
  search.search(fuel, [&](std::size_t part, SearchMemory&) { return Collector(bodies, found[part]); });
  for (const auto& some : found) memory.pairs.insert(memory.pairs.end(), some.begin(), some.end());
  if (stats != nullptr) *stats += search.stats();
}

}  // namespace

void oriented_pairs(const OrientedPair& bodies, SearchMemory& memory, unsigned threads, Fuel& fuel, Stats* stats) {
  memory.pairs.clear();
  if (ends_at_once(bodies, fuel)) return;
  if (threads > 1 && !fuel.counted()) {
    collect_in_parallel(bodies, memory, threads, fuel, stats);
  } else {
    Collector collector(bodies, memory.pairs);
    search_all(bodies, memory, collector, fuel, stats);
  }
  sort_pairs(memory.pairs, memory.sorting);
  SNUG_ASSERT(std::ranges::is_sorted(memory.pairs));
}

void oriented_visit(const OrientedPair& bodies, SearchMemory& memory, const PairVisitor& visit, Stats* stats) {
  Fuel fuel;
  if (ends_at_once(bodies, fuel)) return;
  Asker asker(bodies, visit);
  search_all(bodies, memory, asker, fuel, stats);
}

std::optional<TrianglePair> oriented_first(const OrientedPair& bodies, SearchMemory& memory, Fuel& fuel, Stats* stats) {
  if (ends_at_once(bodies, fuel)) return {};
  std::optional<TrianglePair> first;
  const auto keep = [&](const TrianglePair& pair) {
    first = pair;
    return false;
  };
  const PairVisitor visit(keep);
  Asker asker(bodies, visit);
  search_all(bodies, memory, asker, fuel, stats, true);
  return first;
}

}  // namespace snug::query
