#pragma once

#include "support/rooms.hpp"

#include <cstdint>

namespace snug::bvh {

/// Where a node of a DOP-tree leads to.
struct DopLinks {
  std::uint32_t left = 0;   ///< child, or the triangle of a leaf
  std::uint32_t right = 0;  ///< child, or 0 for a leaf

  [[nodiscard]] bool leaf() const noexcept { return right == 0; }
  friend bool operator==(const DopLinks&, const DopLinks&) = default;
};

}  // namespace snug::bvh
