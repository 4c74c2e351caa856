#pragma once

#include "support/rooms.hpp"

#include <snug/progress.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <semaphore>
#include <system_error>
#include <thread>

namespace snug::io {

template <class Item>
struct StagesShare {
  static constexpr std::size_t k_ring = 4;
  std::array<Item, k_ring> ring;
  std::counting_semaphore<k_ring> empty, filled;
  std::atomic<bool> failed{false}, ended{false};
  std::exception_ptr failure;

  StagesShare() : empty(k_ring), filled(0) {}
};

/// Calls consume(item) for everything that produce(item) made, in order, until that returns false. produce() runs on the
/// calling thread; consume(), if `side_by_side` and there is a second processor, on a thread of its own and a few items
/// behind. Either sees its calls one after the other, so the outcome is the same. What consume() throws is thrown again
/// here; items after it are dropped.
template <class Item, class Produce, class Consume>
void in_two_stages(bool side_by_side, Produce&& produce, Consume&& consume) {
  using Shared = StagesShare<Item>;
  constexpr std::size_t k_ring = Shared::k_ring;
  const auto shared = std::make_unique<Shared>();
  const auto work = [&] {
    for (std::size_t i = 0;; ++i) {
      shared->filled.acquire();
      if (shared->ended) return;
      try {
        if (!shared->failed) consume(shared->ring[i % k_ring]);
      } catch (...) {
        shared->failure = std::current_exception();
        shared->failed = true;
      }
      shared->empty.release();
    }
  };
  std::optional<std::jthread> helper;
  try {
    if (side_by_side && hardware_threads() > 1) helper.emplace(work);
  } catch (const std::system_error&) {
    helper.reset();  // no thread to be had: one after the other, then
  }
  if (!helper) {
    while (produce(shared->ring.front())) consume(shared->ring.front());
    return;
  }
  // Ends the helper however we leave. All slots empty: it has done everything.
  struct End {
    Shared& shared;
    std::jthread& helper;
    ~End() {
      for (std::size_t i = 0; i < k_ring; ++i) shared.empty.acquire();
      shared.ended = true;
      shared.filled.release();
      helper.join();
    }
  };
  {
    const End end{*shared, *helper};
    for (std::size_t i = 0;; ++i) {
      shared->empty.acquire();
      bool more = false;
      struct Refund {  // of the slot taken, should it not be passed on
        Shared& shared;
        bool& passed;
        ~Refund() { passed ? shared.filled.release() : shared.empty.release(); }
      } const refund{*shared, more};
      more = !shared->failed && produce(shared->ring[i % k_ring]);
      if (!more) break;
    }
  }
  if (shared->failure) std::rethrow_exception(shared->failure);
}

}  // namespace snug::io
