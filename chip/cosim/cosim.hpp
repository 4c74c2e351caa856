#pragma once

#include "chip/cosim/stimulus.hpp"

#include <string>
#include <vector>

namespace snug::hardware {

/// What a run of the driver has seen.
struct CosimReport {
  std::uint64_t clocks = 0, accepted = 0, answered = 0, lost_by_reset = 0, separated = 0;
  std::uint64_t zero_sums = 0;     ///< tests with a sum of exactly 0 that decides
  std::uint64_t edge_decides = 0;  ///< tests in which a sum of 0 or 1 decides alone
  std::uint64_t bubbles = 0, stalls = 0, resets = 0;
  std::vector<std::string> failures;  ///< what went wrong, with clock and seed; no more than a few

  [[nodiscard]] bool ok() const { return failures.empty(); }
};

/// Steps all units together over `vectors` tests and compares them, pin by pin and clock by clock, with the first one, the
/// golden model; a scoreboard of its own checks that what was accepted comes out once, in order and with the right answer.
[[nodiscard]] CosimReport cosimulate(const std::vector<OverlapUnit*>& units, const Configuration& configuration,
                                     std::uint64_t vectors, std::uint64_t seed);

}  // namespace snug::hardware
