#include "scene/work.hpp"

#include "support/parallel.hpp"

#include <algorithm>
#include <mutex>

namespace snug::scene {

namespace {

constexpr std::size_t k_chunk = 16;  // pairs a thread takes at once

bool cancelled(const SceneOptions& options) noexcept {
  return options.cancel != nullptr && options.cancel->cancelled();
}

/// Lends each thread a scratch for as long as it works.
class Lender {
 public:
  Lender(SceneScratchData& memory, std::size_t most) : memory_(memory) {
    while (memory.scratch.size() < most) memory.scratch.emplace_back();
    memory.at_hand.clear();
    for (Scratch& scratch : memory.scratch) memory.at_hand.push_back(&scratch);
  }
  Scratch& take() {
    const std::lock_guard lock(mutex_);
    Scratch& scratch = *memory_.at_hand.back();
    memory_.at_hand.pop_back();
    return scratch;
  }
  void give_back(Scratch& scratch) {
    const std::lock_guard lock(mutex_);
    memory_.at_hand.push_back(&scratch);
  }

 private:
  SceneScratchData& memory_;
  std::mutex mutex_;
};

class Loan {
 public:
  explicit Loan(Lender& lender) : lender_(lender), scratch_(lender.take()) {}
  ~Loan() { lender_.give_back(scratch_); }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;
  [[nodiscard]] Scratch& scratch() const noexcept { return scratch_; }

 private:
  Lender& lender_;
  Scratch& scratch_;
};

/// Calls item(i, scratch) for every item, by as many threads as asked for; ends early when cancelled.
template <class Item>
void for_each_item(std::size_t count, const SceneOptions& options, SceneScratchData& memory, Item&& item) {
  if (options.threads <= 1 || count <= 1) {
    Scratch& scratch = own_scratch(memory);
    for (std::size_t i = 0; i < count && !cancelled(options); ++i) item(i, scratch);
    return;
  }
  Lender lender(memory, threads_of(options));
  // Few items are shared out one by one: each may be long.
  const std::size_t chunk = std::clamp<std::size_t>(count / (8 * threads_of(options)), 1, k_chunk);
  for_each_chunk((count + chunk - 1) / chunk, threads_of(options), [&](std::size_t c) {
    const Loan loan(lender);
    for (std::size_t i = c * chunk; i < std::min(count, (c + 1) * chunk) && !cancelled(options); ++i)
      item(i, loan.scratch());
  });
}

}  // namespace

Scratch& own_scratch(SceneScratchData& memory) {
  if (memory.scratch.empty()) memory.scratch.emplace_back();
  return memory.scratch.front();
}

bool decide_all(std::size_t count, const Decide& decide, const SceneOptions& options, SceneScratchData& memory) {
  memory.hits.assign(count, 0);
  WorkProgress progress(options, count);
  for_each_item(count, options, memory, [&](std::size_t i, Scratch& scratch) {
    memory.hits[i] = decide(i, scratch) ? 1 : 0;
    progress.advance();
  });
  if (cancelled(options)) return false;
  progress.finish();
  return true;
}

std::optional<std::size_t> decide_first(std::size_t count, const Decide& decide, const SceneOptions& options,
                                        SceneScratchData& memory) {
  std::atomic<std::size_t> first{count};
  WorkProgress progress(options, count);
  for_each_item(count, options, memory, [&](std::size_t i, Scratch& scratch) {
    progress.advance();
    std::size_t best = first.load();
    // What comes after a hit does not matter; all before it is looked at by somebody.
    if (i > best || !decide(i, scratch)) return;
    while (i < best && !first.compare_exchange_weak(best, i)) {
    }
  });
  if (cancelled(options)) return std::nullopt;
  progress.finish();
  return first.load();
}

double widened(double clearance, double largest) noexcept {
  return clearance * (1 + 0x1p-40) + 0x1p-45 * largest + std::numeric_limits<double>::min();
}

}  // namespace snug::scene
