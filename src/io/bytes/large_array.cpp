#include "io/bytes/large_array.hpp"

#include "support/assert.hpp"

#include <snug/progress.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <system_error>

namespace snug::io {

namespace {

/// The whole pages within a piece of memory.
struct Pages {
  char* begin;
  std::size_t bytes;
};

[[maybe_unused]] Pages pages_within(void* memory, std::size_t bytes) noexcept {
  constexpr std::uintptr_t k_page = 4096;
  const std::uintptr_t past_page = reinterpret_cast<std::uintptr_t>(memory) % k_page;
  const std::size_t skipped = past_page == 0 ? 0 : k_page - past_page;
  if (bytes < skipped + k_page) return {static_cast<char*>(memory), 0};
  return {static_cast<char*>(memory) + skipped, (bytes - skipped) / k_page * k_page};
}

#ifdef MADV_POPULATE_WRITE
/// Piece by piece, each so large a fraction of a millisecond that stopping is not felt.
void fetch_backwards(const std::stop_token& stop, Pages pages) noexcept {
  constexpr std::size_t k_piece = std::size_t{2} << 20;
  while (pages.bytes > 0 && !stop.stop_requested()) {
    // Pieces end at multiples of their size, as the large pages do.
    const std::size_t past = reinterpret_cast<std::uintptr_t>(pages.begin + pages.bytes) % k_piece;
    const std::size_t piece = std::min(pages.bytes, past == 0 ? k_piece : past);
    SNUG_ASSERT(piece > 0 && piece <= pages.bytes);
    pages.bytes -= piece;
    if (::madvise(pages.begin + pages.bytes, piece, MADV_POPULATE_WRITE) != 0) return;  // not known to this system
  }
}
#endif

}  // namespace

void expect_filling([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t k_worth_it = std::size_t{4} << 20;
  if (bytes < k_worth_it) return;
  const Pages pages = pages_within(memory, bytes);
  ::madvise(pages.begin, pages.bytes, MADV_HUGEPAGE);  // advice: a refusal does no harm
#endif
}

void PagesAhead::fetch([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
  helper_ = {};
#ifdef MADV_POPULATE_WRITE
  constexpr std::size_t k_worth_it = std::size_t{8} << 20;  // a thread takes some 50 us to start
  if (bytes < k_worth_it || hardware_threads() < 2) return;
  try {
    helper_ = std::jthread(fetch_backwards, pages_within(memory, bytes));
  } catch (const std::system_error&) {
    return;  // no thread to be had: the caller fetches every page itself
  }
#endif
}

}  // namespace snug::io
