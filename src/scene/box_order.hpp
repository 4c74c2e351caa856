#pragma once

#include "scene/box_tree.hpp"
#include "support/rooms.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace snug::scene {

/// A frame with most boxes close about its origin, where floats are finest, and none beyond 2^38 but those that are
/// cut off: bodies that have flown off, however far, do not blur the others. Empty boxes do not count.
[[nodiscard]] BoxFrame frame_of(std::span<const BoxRecord> records) noexcept;

/// Puts boxes in an order in which neighbours in the list are neighbours in space and of similar size: by size class, then
/// along a Hilbert curve through their centres. Boxes that the curve is too coarse to tell apart are ordered by a
/// finer one through their own surroundings, so that one box far away does not cost the order of all others.
class BoxOrder {
 public:
  /// Reorders the records and drops those with empty boxes.
  void sort(std::vector<BoxRecord>& records);

 private:
  struct Entry {
    std::uint32_t key, index;
  };
  struct Run {
    std::uint32_t begin, end;
  };
  void sort_run(std::span<Entry> entries, std::span<const BoxRecord> records);
  void radix_sort(std::span<Entry> entries);

  std::vector<Entry> entries_, spare_;
  std::vector<Run> runs_;
  std::vector<BoxRecord> sorted_;
};

}  // namespace snug::scene
