#pragma once

#include "query/pairs/obb/oriented_search.hpp"
#include "support/assert.hpp"
#include "support/parallel.hpp"
#include "support/rooms.hpp"

#include <mutex>

namespace snug::query {

/// Searches on several threads: opens the bodies level by level until there are enough parts, then searches those side by
/// side. What is found goes into lists by part, in their order, so that nothing depends on who was faster.
class ParallelSearch {
 public:
  ParallelSearch(const OrientedPair& bodies, unsigned threads)
      : bodies_(bodies), threads_(threads), memories_(threads) {
    for (SearchMemory& memory : memories_) idle_.push_back(&memory);
  }

  /// What the taker finds while the bodies are opened; the rest is then left in parts.
  template <class Taker>
  void open(SearchMemory& memory, Taker& taker) {
    PairSearch top = pair_search(bodies_, memory);
    give_to(top, taker);
    const std::size_t wanted = k_parts_per_thread * threads_;
    for (std::uint32_t level = 0; level < 64 && top.stack_size > 0 && top.stack_size < wanted; ++level) {
      memory.stack.resize(std::max<std::size_t>(memory.stack.size(), 65 * std::size_t{top.stack_size}));
      top.stack = memory.stack.data();
      (void)bodies_.kernels.expand(top);
    }
    SNUG_ASSERT(top.stack_size <= memory.stack.size());
    parts_.assign(memory.stack.begin(), memory.stack.begin() + top.stack_size);
    tell(&stats_, top.counts, taker.exact_tests);
  }

  [[nodiscard]] std::size_t parts() const noexcept { return parts_.size(); }
  [[nodiscard]] const Stats& stats() const noexcept { return stats_; }

  /// Calls make_taker(part, memory) -> taker and then walks with it, for every part. The fuel may know a deadline, but not count.
  template <class MakeTaker>
  void search(Fuel& fuel, MakeTaker&& make_taker) {
    SNUG_ASSERT(!fuel.counted());
    std::vector<Stats> done(parts_.size());
    std::vector<Fuel> fuels(parts_.size(), fuel);
    for_each_chunk(parts_.size(), threads_, [&](std::size_t i) {
      SearchMemory& memory = borrow();
      PairSearch search = pair_search(bodies_, memory);
      search.stack[0] = parts_[i], search.stack_size = 1;
      auto taker = make_taker(i, memory);
      give_to(search, taker);
      walk(bodies_, search, fuels[i]);
      tell(&done[i], search.counts, taker.exact_tests);
      give_back(memory);
    });
    for (const Stats& one : done) stats_ += one;
    for (const Fuel& one : fuels)
      if (one.why()) fuel = one;
  }

 private:
  /// Enough parts to keep every thread busy to the end, each large enough to be worth handing out.
  static constexpr std::size_t k_parts_per_thread = 24;

  SearchMemory& borrow() {
    const std::lock_guard lock(mutex_);
    SNUG_ASSERT(!idle_.empty());
    SearchMemory* const memory = idle_.back();
    idle_.pop_back();
    return *memory;
  }
  void give_back(SearchMemory& memory) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(&memory);
  }

  const OrientedPair& bodies_;
  unsigned threads_;
  std::vector<SlotPair> parts_;
  Stats stats_;
  std::vector<SearchMemory> memories_;  ///< one for each part at work
  std::vector<SearchMemory*> idle_;
  std::mutex mutex_;
};

}  // namespace snug::query
