#pragma once

#include <cstdint>

namespace snug::detail {

/// Blocks that lie one after the other.
struct BlockRange {
  std::uint32_t begin = 0, end = 0;
};

}  // namespace snug::detail
