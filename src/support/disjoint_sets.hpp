#pragma once

#include <cstdint>
#include <memory_resource>
#include <numeric>
#include <utility>
#include <vector>

namespace snug::support {

/// Union–find over 0…n-1. The smallest member is the representative, so results do not depend on the order of joins.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count, std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : parent_(count, memory) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  [[nodiscard]] std::uint32_t find(std::uint32_t i) noexcept {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) noexcept {
    i = find(i), j = find(j);
    if (i > j) std::swap(i, j);
    parent_[j] = i;
  }
  /// Per member the number of its set, sets counted in the order of their smallest member.
  [[nodiscard]] std::pmr::vector<std::uint32_t> numbered() {
    std::pmr::vector<std::uint32_t> number(parent_.size(), parent_.get_allocator());
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < parent_.size(); ++i) {
      const std::uint32_t root = find(i);
      number[i] = root == i ? next++ : number[root];
    }
    return number;
  }

 private:
  std::pmr::vector<std::uint32_t> parent_;
};

}  // namespace snug::support
