#pragma once

#include <cstdint>
#include <vector>

namespace snug::detail {

/// Pairs of surfaces met so far: a table of keys, open addressing, memory kept from query to query.
class SurfacePairSet {
 public:
  void clear() noexcept {
    for (std::uint64_t& key : keys_) key = k_none;
    count_ = 0;
  }
  [[nodiscard]] bool contains(std::uint32_t a, std::uint32_t b) const noexcept {
    return !keys_.empty() && keys_[place(key_of(a, b))] != k_none;
  }
  void insert(std::uint32_t a, std::uint32_t b) {
    if (2 * (count_ + 1) > keys_.size()) grow();
    std::uint64_t& key = keys_[place(key_of(a, b))];
    if (key == k_none) key = key_of(a, b), ++count_;
  }

 private:
  static constexpr std::uint64_t k_none = ~std::uint64_t{0};

  static std::uint64_t key_of(std::uint32_t a, std::uint32_t b) noexcept { return std::uint64_t{a} << 32 | b; }
  /// Where the key is, or the free place it would take.
  [[nodiscard]] std::size_t place(std::uint64_t key) const noexcept {
    const std::size_t mask = keys_.size() - 1;
    std::size_t at = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> 32) & mask;
    while (keys_[at] != k_none && keys_[at] != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<std::uint64_t> old(keys_.empty() ? 64 : 2 * keys_.size(), k_none);
    old.swap(keys_);
    for (const std::uint64_t key : old)
      if (key != k_none) keys_[place(key)] = key;
  }

  std::vector<std::uint64_t> keys_;  ///< a power of two of them
  std::size_t count_ = 0;
};

}  // namespace snug::detail
