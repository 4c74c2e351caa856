#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace snug::support {

/// True if the numbers are 0 to count - 1 in some order. Linear, for assertions after a build.
[[nodiscard]] inline bool holds_each_once(std::span<const std::uint32_t> numbers, std::size_t count) {
  if (numbers.size() != count) return false;
  std::vector<bool> seen(count, false);
  for (const std::uint32_t number : numbers) {
    if (number >= count || seen[number]) return false;
    seen[number] = true;
  }
  return true;
}

}  // namespace snug::support
