#include "io/large_array.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace snug::io {

void expect_filling([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t k_page = 4096, k_worth_it = std::uintptr_t{4} << 20;
  if (bytes < k_worth_it) return;
  const auto start = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (start + k_page - 1) & ~(k_page - 1), last = (start + bytes) & ~(k_page - 1);
  ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // advice: a refusal does no harm
#endif
}

}  // namespace snug::io
