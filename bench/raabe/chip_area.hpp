#pragma once

#include "chip/walk.hpp"

#include <algorithm>

// Area of the chip and its variants, of what chip/synth made for a Virtex-II (the tables of docs/chip.md and docs/papers/raabe-chip.md).

namespace snug::bench::raabe {

struct ChipArea {
  double luts = 0, flip_flops = 0, multipliers = 0;
  double blocks = 0;  ///< of memory, 18 kbit

  /// Slices with perfect packing and with none: two of each kind in one.
  [[nodiscard]] double least() const noexcept { return std::max(luts, flip_flops) / 2; }
  [[nodiscard]] double most() const noexcept { return (luts + flip_flops) / 2; }

  ChipArea& add(const ChipArea& o, double times = 1) noexcept {
    luts += times * o.luts, flip_flops += times * o.flip_flops, multipliers += times * o.multipliers;
    blocks += times * o.blocks;
    return *this;
  }
};

/// The whole chip, its buses included, as a variant has it. Width 12, 14, 18 or 35.
[[nodiscard]] ChipArea area_of(unsigned width, const chip::Structure& structure);
/// The unit that refits trees, alone.
[[nodiscard]] ChipArea refit_area(unsigned width);

}  // namespace snug::bench::raabe
