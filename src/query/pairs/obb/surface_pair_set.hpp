#pragma once

#include "support/rooms.hpp"

#include <cstdint>
#include <vector>

namespace snug::query {

/// Pairs of surfaces met so far: a table of keys, open addressing, memory kept from query to query. Clearing it takes as long as
/// there are pairs in it, however large it once was.
class SurfacePairSet {
 public:
  void clear() noexcept {
    for (const std::size_t place : taken_) keys_[place] = k_none;
    taken_.clear();
  }
  [[nodiscard]] bool contains(std::uint32_t a, std::uint32_t b) const noexcept {
    return !taken_.empty() && keys_[place(key_of(a, b))] != k_none;
  }
  void insert(std::uint32_t a, std::uint32_t b) {
    if (2 * (taken_.size() + 1) > keys_.size()) grow();
    const std::size_t at = place(key_of(a, b));
    if (keys_[at] != k_none) return;
    taken_.push_back(at);
    keys_[at] = key_of(a, b);
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
    taken_.reserve(old.size() / 2);
    old.swap(keys_);
    for (std::size_t& at : taken_) {
      const std::uint64_t key = old[at];
      at = place(key);
      keys_[at] = key;
    }
  }

  std::vector<std::uint64_t> keys_;  ///< a power of two of them
  std::vector<std::size_t> taken_;   ///< places with a key
};

}  // namespace snug::query
