#pragma once

#include "support/rooms.hpp"

#include <cstdint>

namespace snug::simd {

/// For each set of lanes, those lanes one after the other, a byte each.
struct PackingTable {
  alignas(64) std::uint8_t lane[256][8] = {};

  constexpr PackingTable() noexcept {
    for (unsigned set = 0; set < 256; ++set) {
      unsigned at = 0;
      for (std::uint8_t l = 0; l < 8; ++l)
        if ((set >> l & 1U) != 0) lane[set][at++] = l;
    }
  }
};
inline constexpr PackingTable k_packing;

}  // namespace snug::simd
