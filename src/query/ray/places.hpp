#pragma once

#include "query/ray/contact_memory.hpp"

#include <algorithm>
#include <numeric>

namespace snug::detail {

/// Places where bodies meet: sets of pairs of triangles that hang together by common triangles. As DisjointSets, in memory
/// that is kept.
class Places {
 public:
  explicit Places(ContactMemory& memory) : parent_(memory.parent) {
    const auto& pairs = memory.pairs;
    parent_.resize(pairs.size());
    std::iota(parent_.begin(), parent_.end(), 0U);
    for (std::uint32_t i = 1; i < pairs.size(); ++i)
      if (pairs[i].a == pairs[i - 1].a) join(i, i - 1);
    memory.by_b.resize(pairs.size());
    std::iota(memory.by_b.begin(), memory.by_b.end(), 0U);
    std::ranges::sort(memory.by_b, [&](std::uint32_t i, std::uint32_t j) {
      return pairs[i].b != pairs[j].b ? pairs[i].b < pairs[j].b : i < j;
    });
    for (std::size_t k = 1; k < pairs.size(); ++k)
      if (pairs[memory.by_b[k]].b == pairs[memory.by_b[k - 1]].b) join(memory.by_b[k], memory.by_b[k - 1]);
  }

  /// The first pair of the place that holds pair i.
  [[nodiscard]] std::uint32_t find(std::uint32_t i) noexcept {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

 private:
  void join(std::uint32_t i, std::uint32_t j) noexcept {
    i = find(i), j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

  std::vector<std::uint32_t>& parent_;
};

}  // namespace snug::detail
