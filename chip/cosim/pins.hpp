#pragma once

#include "chip/model/overlap_unit.hpp"

#include <verilated.h>

#include <algorithm>

// Numbers on the pins of a Verilated module, and how one comes up.

namespace snug::hardware {

/// Registers come up with anything, as they do in a chip, not with 0.
inline VerilatedContext& with_any_registers(VerilatedContext& context) {
  context.randReset(2);
  context.randSeed(1);
  return context;
}

namespace pins {

/// Puts the lowest bits of a number at a place of a pin, whatever type Verilator gave that.
template <class Pin>
void put(Pin& pin, unsigned at, unsigned bits, std::int64_t value) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  pin = static_cast<Pin>((pin & ~(mask << at)) | ((static_cast<std::uint64_t>(value) & mask) << at));
}
template <std::size_t Words>
void put(VlWide<Words>& pin, unsigned at, unsigned bits, std::int64_t value) {
  for (unsigned done = 0; done < bits;) {
    const unsigned word = (at + done) / 32, shift = (at + done) % 32, count = std::min(32 - shift, bits - done);
    std::uint32_t part = static_cast<std::uint32_t>(pin.at(word));
    put(part, shift, count, value >> done);
    pin.at(word) = part;
    done += count;
  }
}

/// A signed number of so many bits.
template <class Pin>
Wide number(const Pin& pin, unsigned bits) {
  return static_cast<Wide>(static_cast<std::int64_t>(static_cast<std::uint64_t>(pin) << (64 - bits)) >> (64 - bits));
}
template <std::size_t Words>
Wide number(const VlWide<Words>& pin, unsigned bits) {
  __extension__ using Unsigned = unsigned __int128;
  Unsigned all = 0;
  for (std::size_t i = Words; i-- > 0;) all = (all << 32) | pin.at(i);
  return static_cast<Wide>(all << (128 - bits)) >> (128 - bits);
}

}  // namespace pins

}  // namespace snug::hardware
