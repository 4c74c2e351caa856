#include "io/large_array.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace snug::io {

void expect_filling([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t k_page = 4096, k_worth_it = std::uintptr_t{4} << 20;
  if (bytes < k_worth_it) return;
  const std::uintptr_t past_page = reinterpret_cast<std::uintptr_t>(memory) % k_page;
  const std::size_t skipped = past_page == 0 ? 0 : k_page - past_page;
  ::madvise(static_cast<char*>(memory) + skipped, (bytes - skipped) / k_page * k_page,
            MADV_HUGEPAGE);  // advice: a refusal does no harm
#endif
}

}  // namespace snug::io
