#pragma once

#include <snug/vec.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace snug::detail {

/// All pairs (i, j), i < j, of boxes that overlap, ordered.
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> overlapping_boxes(std::span<const Aabb> boxes);

}  // namespace snug::detail
