#include "query/surface/oriented_search.hpp"
#include "support/parallel.hpp"

#include <mutex>

namespace snug::detail {

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

/// Enough parts to keep every thread busy to the end, each large enough to be worth handing out.
constexpr std::size_t k_parts_per_thread = 24;

/// Opens the bodies level by level until there are enough parts, then searches those side by side. What is found goes into
/// lists by part, so that nothing depends on who was faster.
void collect_in_parallel(const OrientedPair& bodies, SearchMemory& memory, unsigned threads, Stats* stats) {
  PairSearch top = pair_search(bodies, memory);
  Collector found_on_top(bodies, memory.pairs);
  top.context = &found_on_top;
  top.take = Collector::take;
  const std::size_t wanted = k_parts_per_thread * threads;
  for (std::uint32_t level = 0; level < 64 && top.stack_size > 0 && top.stack_size < wanted; ++level) {
    memory.stack.resize(std::max<std::size_t>(memory.stack.size(), 65 * std::size_t{top.stack_size}));
    top.stack = memory.stack.data();
    (void)bodies.kernels.expand(top);
  }
  const std::vector<SlotPair> parts(memory.stack.begin(), memory.stack.begin() + top.stack_size);
  std::vector<std::vector<TrianglePair>> found(parts.size());
  std::vector<Stats> done(parts.size());
  std::vector<SearchMemory> memories(threads);  // one for each part at work
  std::vector<SearchMemory*> idle;
  std::mutex idle_mutex;
  for (SearchMemory& one : memories) idle.push_back(&one);
  for_each_chunk(parts.size(), threads, [&](std::size_t i) {
    SearchMemory* own = nullptr;
    {
      const std::lock_guard lock(idle_mutex);
      own = idle.back();
      idle.pop_back();
    }
    PairSearch search = pair_search(bodies, *own);
    search.stack[0] = parts[i], search.stack_size = 1;
    Collector collector(bodies, found[i]);
    search.context = &collector;
    search.take = Collector::take;
    (void)bodies.kernels.walk(search);
    tell(&done[i], search.counts, collector.exact_tests);
    const std::lock_guard lock(idle_mutex);
    idle.push_back(own);
  });
  for (const auto& some : found) memory.pairs.insert(memory.pairs.end(), some.begin(), some.end());
  tell(stats, top.counts, found_on_top.exact_tests);
  for (const Stats& one : done) tell(stats, one, 0);
}

}  // namespace

void oriented_pairs(const OrientedPair& bodies, SearchMemory& memory, unsigned threads, Stats* stats) {
  memory.pairs.clear();
  if (bodies.empty()) return;
  if (threads > 1) {
    collect_in_parallel(bodies, memory, threads, stats);
  } else {
    PairSearch search = pair_search(bodies, memory);
    Collector collector(bodies, memory.pairs);
    search.context = &collector;
    search.take = Collector::take;
    (void)bodies.kernels.walk(search);
    tell(stats, search.counts, collector.exact_tests);
  }
  sort_pairs(memory.pairs, memory.sorting);
}

void oriented_visit(const OrientedPair& bodies, SearchMemory& memory, const PairVisitor& visit, Stats* stats) {
  if (bodies.empty()) return;
  PairSearch search = pair_search(bodies, memory);
  Asker asker(bodies, visit);
  search.context = &asker;
  search.take = Asker::take;
  (void)bodies.kernels.walk(search);
  tell(stats, search.counts, asker.exact_tests);
}

std::optional<TrianglePair> oriented_first(const OrientedPair& bodies, SearchMemory& memory, Stats* stats) {
  if (bodies.empty()) return {};
  std::optional<TrianglePair> first;
  const auto keep = [&](const TrianglePair& pair) {
    first = pair;
    return false;
  };
  const PairVisitor visit(keep);
  PairSearch search = pair_search(bodies, memory);
  Asker asker(bodies, visit);
  search.context = &asker;
  search.take = Asker::take;
  search.best_first = true;
  (void)bodies.kernels.walk(search);
  tell(stats, search.counts, asker.exact_tests);
  return first;
}

}  // namespace snug::detail
