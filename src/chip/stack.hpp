#pragma once

#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace snug::chip {

using DopWords = std::array<std::int64_t, 24>;

/// Two nodes or two triangles.
struct NumberPair {
  bool triangles = false;
  std::uint32_t a = 0, b = 0;
};

/// The children of a pair that overlaps, up to four pairs; or the triangles of two leaves (docs/chip-system.md, section 4).
struct StackEntry {
  std::uint32_t a[2] = {}, b[2] = {};
  bool triangles = false;
  bool two_a = false, two_b = false;
  bool next_a = false, next_b = false;

  // For studies; the contract has none of these.
  unsigned level = 0;  ///< steps from the roots
  bool itself_a = false,
       itself_b = false;  ///< with relative coefficients: a leaf that waits while the other opens, its triangle in [1]
  DopWords dop_a{}, dop_b{};  ///< with relative coefficients: of the parents, or of a leaf itself

  [[nodiscard]] NumberPair pair() const noexcept { return {triangles, a[next_a ? 1 : 0], b[next_b ? 1 : 0]}; }
  /// Moves on to the next pair; false if there is none.
  bool advance() noexcept {
    if (!next_b && two_b) {
      next_b = true;
      return true;
    }
    if (!next_a && two_a) {
      next_a = true, next_b = false;
      return true;
    }
    return false;
  }
};

/// The controller's stack; or a queue, to be compared with it.
class Stack {
 public:
  Stack(std::size_t depth, bool queue) noexcept : depth_(depth), queue_(queue) {}

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] bool full() const noexcept { return entries_.size() >= depth_; }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  void clear() noexcept { entries_.clear(); }
  void push(const StackEntry& entry) {
    SNUG_ASSERT(!full());
    entries_.push_back(entry);
  }
  [[nodiscard]] NumberPair pop() noexcept {
    SNUG_ASSERT(!empty());
    StackEntry& entry = queue_ ? entries_.front() : entries_.back();
    const NumberPair pair = entry.pair();
    if (!entry.advance()) drop();
    return pair;
  }
  /// With all pairs that are left of it.
  [[nodiscard]] StackEntry pop_entry() noexcept {
    const StackEntry entry = top();
    drop();
    return entry;
  }
  [[nodiscard]] const StackEntry& top() const noexcept {
    SNUG_ASSERT(!empty());
    return queue_ ? entries_.front() : entries_.back();
  }

 private:
  void drop() noexcept { queue_ ? entries_.pop_front() : entries_.pop_back(); }

  std::size_t depth_;
  bool queue_;
  std::deque<StackEntry> entries_;
};

}  // namespace snug::chip
