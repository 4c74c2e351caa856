#pragma once

#include "bvh/dop24/records.hpp"
#include "support/rooms.hpp"

#include <span>
#include <string_view>

namespace snug::chip {

/// A named configuration of the chip: a line of chip/configs.yaml, the single source.
struct Configuration {
  std::string_view name;
  unsigned width;
  unsigned axes;  ///< tried on a pair of DOPs before its children are scheduled
  unsigned multiplier_stages;

  /// Of the overlap pipe: selection, multiplication, three levels of adders, correction, comparison.
  [[nodiscard]] constexpr unsigned stages() const noexcept { return 6 + multiplier_stages; }
  /// A node's record in memory.
  [[nodiscard]] constexpr unsigned record_bursts() const noexcept {
    return static_cast<unsigned>(record_bytes(width) / k_burst_bytes);
  }
};

/// Their table is written by cmake/ChipConfigurations.cmake.
[[nodiscard]] std::span<const Configuration> configurations() noexcept;
/// Null if there is none of that name.
[[nodiscard]] const Configuration* find_configuration(std::string_view name) noexcept;

/// One for words of any width from 5 to 35 bits, for studies: as the named ones would be.
[[nodiscard]] constexpr Configuration configuration_of_width(unsigned width) noexcept {
  return {"", width, 24, width <= 18 ? 1U : 3U};
}

}  // namespace snug::chip
