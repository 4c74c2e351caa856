#pragma once

#include "chip/cosim/system_bench.hpp"

namespace snug::hardware {

/// What was injected, in turn, into one short query.
struct Injected {
  std::uint64_t clocks = 0;  ///< of the query
  std::uint64_t beats = 0;   ///< each of which was wrong once
  std::uint64_t resets =
      0;  ///< clocks at which there was a reset by the register, one with a start at once, and one of everything
};

/// A wrong beat at every place, among random stalls of memory and host, and all kinds of reset at every clock. Each time the chip has to
/// end in the state of docs/chip-system.md, and the next query has to find what it finds without trouble. What is not so is a failure of the
/// bench.
Injected inject(Bench& bench, const Shapes& shapes, const chip::Configuration& configuration, Random& random,
                Seen& seen);

}  // namespace snug::hardware
