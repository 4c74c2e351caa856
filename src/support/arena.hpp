#pragma once

#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <vector>

namespace snug::support {

/// Memory for what a call makes and drops: handed out from one block and taken back all at once. The block grows to what the largest call
/// needed, so that later ones do not allocate.
class Arena final : public std::pmr::memory_resource {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Takes everything back. Nothing that was made in it may be in use.
  void clear() {
    overflow_.clear();
    if (used_ > block_.size()) block_ = std::vector<std::byte>(used_ + used_ / 2);
    used_ = 0;
  }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    SNUG_ASSERT(alignment <= k_alignment);
    const std::size_t begin = used_;
    used_ += (bytes + k_alignment - 1) / k_alignment * k_alignment;
    if (used_ <= block_.size()) return block_.data() + begin;
    overflow_.push_back(std::make_unique<std::byte[]>(bytes));
    return overflow_.back().get();
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  static constexpr std::size_t k_alignment = alignof(std::max_align_t);  // of what operator new returns, too
  std::vector<std::byte> block_;
  std::vector<std::unique_ptr<std::byte[]>> overflow_;
  std::size_t used_ = 0;
};

}  // namespace snug::support
