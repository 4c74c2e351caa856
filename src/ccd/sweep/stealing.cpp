#include "ccd/sweep/stealing.hpp"

#include "support/parallel.hpp"

#include <snug/sweep.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#ifdef SNUG_HAS_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace snug {

namespace ccd::sweep {

namespace {

constexpr std::size_t k_portion = 16;  ///< pairs taken at a time

/// Portions that a thread has left, first and end in one word, so that its owner and thieves exclude each other without a lock.
struct alignas(64) Left {
  std::atomic<std::uint64_t> range{0};

  static constexpr std::uint64_t pack(std::uint64_t begin, std::uint64_t end) noexcept { return begin << 32U | end; }
  static constexpr std::uint64_t begin_of(std::uint64_t r) noexcept { return r >> 32U; }
  static constexpr std::uint64_t end_of(std::uint64_t r) noexcept { return r & 0xffff'ffffU; }
  static constexpr std::uint64_t size_of(std::uint64_t r) noexcept {
    return begin_of(r) < end_of(r) ? end_of(r) - begin_of(r) : 0;
  }

  /// The first one, for its owner; false if there is none.
  bool take(std::uint64_t& portion, std::uint64_t& exclusions) noexcept {
    std::uint64_t now = range.load(std::memory_order_relaxed);
    while (size_of(now) > 0) {
      ++exclusions;
      if (!range.compare_exchange_weak(now, pack(begin_of(now) + 1, end_of(now)), std::memory_order_acq_rel)) continue;
      portion = begin_of(now);
      return true;
    }
    return false;
  }
  /// The later half, for a thief; it becomes what `mine` has left. A portion is begun once only: a range that was stolen or taken
  /// from never comes back to what it was, since its ends only meet.
  bool steal(Left& mine, std::uint64_t& exclusions) noexcept {
    std::uint64_t now = range.load(std::memory_order_relaxed);
    while (size_of(now) > 0) {
      ++exclusions;
      const std::uint64_t from = end_of(now) - (size_of(now) + 1) / 2;
      if (!range.compare_exchange_weak(now, pack(begin_of(now), from), std::memory_order_acq_rel)) continue;
      mine.range.store(pack(from, end_of(now)), std::memory_order_release);
      return true;
    }
    return false;
  }
};

}  // namespace

std::uint64_t share_by_own_stealing(std::size_t count, unsigned threads,
                                    const std::function<void(unsigned, std::size_t, std::size_t)>& body) {
  threads = sensible_threads(threads);
  std::size_t portion = k_portion;
  while (count / portion >= std::numeric_limits<std::uint32_t>::max()) portion *= 2;
  const std::size_t portions = (count + portion - 1) / portion;
  std::vector<Left> left(threads);
  for (std::size_t i = 0; i < threads; ++i)
    left[i].range.store(Left::pack(portions * i / threads, portions * (i + 1) / threads), std::memory_order_relaxed);
  std::atomic<std::uint64_t> exclusions{0};
  for_each_chunk(threads, threads, [&](std::size_t me) {
    std::uint64_t mine = 0, p = 0;
    for (;;) {
      while (left[me].take(p, mine)) body(static_cast<unsigned>(me), p * portion, std::min(count, (p + 1) * portion));
      // From whoever has most left, as far as one look tells.
      std::size_t richest = me;
      std::uint64_t most = 0;
      for (std::size_t i = 0; i < threads; ++i)
        if (const std::uint64_t has = Left::size_of(left[i].range.load(std::memory_order_relaxed)); has > most)
          most = has, richest = i;
      if (most == 0) break;
      left[richest].steal(left[me], mine);
    }
    exclusions += mine;
  });
  return exclusions;
}

#ifdef SNUG_HAS_TBB

std::uint64_t share_by_stealing(std::size_t count, unsigned threads,
                                const std::function<void(unsigned, std::size_t, std::size_t)>& body) {
  std::atomic<std::uint64_t> handed_out{0};
  // More than the machine has would not come, and oneTBB would say so aloud.
  const int most = tbb::info::default_concurrency();
  tbb::task_arena arena(std::clamp(static_cast<int>(std::min(threads, 1024U)), 1, std::max(most, 1)));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, k_portion), [&](const tbb::blocked_range<std::size_t>& range) {
          handed_out.fetch_add(1, std::memory_order_relaxed);
          body(static_cast<unsigned>(tbb::this_task_arena::current_thread_index()), range.begin(), range.end());
        });
  });
  return handed_out;
}

#else

std::uint64_t share_by_stealing(std::size_t count, unsigned threads,
                                const std::function<void(unsigned, std::size_t, std::size_t)>& body) {
  return share_by_own_stealing(count, threads, body);
}

#endif

}  // namespace ccd::sweep

std::string_view work_stealing() noexcept {
#ifdef SNUG_HAS_TBB
  return "oneTBB";
#else
  return "own";
#endif
}

}  // namespace snug
