#pragma once

#include "chip/memory.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace snug::chip {

using RecordWords = std::array<std::uint64_t, std::size_t{3} * k_burst_words>;

/// Records of nodes kept on the chip, each in the one place that its number leads to; a study, not part of the contract.
class RecordCache {
 public:
  explicit RecordCache(unsigned records_each) : each_(records_each), places_(std::size_t{2} * records_each) {}

  void clear() noexcept { std::ranges::fill(places_, Place{}); }
  [[nodiscard]] bool find(unsigned body, std::uint32_t node, RecordWords& words) const noexcept {
    if (each_ == 0) return false;
    const Place& place = places_[index(body, node)];
    if (!place.valid || place.node != node) return false;
    words = place.words;
    return true;
  }
  void keep(unsigned body, std::uint32_t node, const RecordWords& words) noexcept {
    if (each_ != 0) places_[index(body, node)] = {true, node, words};
  }

 private:
  struct Place {
    bool valid = false;
    std::uint32_t node = 0;
    RecordWords words{};
  };
  [[nodiscard]] std::size_t index(unsigned body, std::uint32_t node) const noexcept {
    SNUG_ASSERT(body < 2 && each_ != 0);
    return std::size_t{body} * each_ + node % each_;
  }

  unsigned each_;
  std::vector<Place> places_;
};

}  // namespace snug::chip
