#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace snug::support {

/// Asks the system for pages of megabytes, where it has them.
void advise_huge_pages(void* memory, std::size_t bytes) noexcept;

/// Memory for what is read at random: it begins with a cache line, so that records of whole lines touch no other, and if there
/// is much of it, with a page of megabytes, so that finding its address costs less.
template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::size_t k_line = 64, k_huge_page = std::size_t{2} << 20;

  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* const memory = ::operator new(bytes, alignment(bytes));
    if (bytes >= k_huge_page) advise_huge_pages(memory, bytes);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept { ::operator delete(memory, alignment(count * sizeof(T))); }

  template <class U>
  bool operator==(const CacheAligned<U>&) const noexcept {
    return true;
  }

 private:
  static std::align_val_t alignment(std::size_t bytes) noexcept {
    return std::align_val_t{bytes >= k_huge_page ? k_huge_page : k_line};
  }
};

template <class T>
using CacheAlignedVector = std::vector<T, CacheAligned<T>>;

}  // namespace snug::support
