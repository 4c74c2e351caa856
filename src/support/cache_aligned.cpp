#include "support/cache_aligned.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace snug::support {

void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  // Whole pages only: what is left over at the end would cost a megabyte on average.
  constexpr std::size_t page = std::size_t{2} << 20;
  (void)::madvise(memory, bytes / page * page, MADV_HUGEPAGE);
#endif
}

}  // namespace snug::support
