#pragma once

#include "chip/model/configuration.hpp"

#include <array>
#include <cstdint>

// What golden model, SystemC and RTL have in common: one pipe, seen from outside, clock by clock. Plain C++17, which the
// SystemC library asks for; nothing of any simulator shows.

namespace snug::hardware {

__extension__ using Wide = __int128;

/// What the host sends for one body and one axis.
struct AxisMapping {
  std::array<std::uint8_t, 3> slab{};    ///< j, from 0 to k - 1
  std::array<std::int64_t, 3> weight{};  ///< P', W bits
};

/// One test of two DOPs along one axis, and what goes along with it.
struct AxisTest {
  std::array<std::int64_t, 24> dop_a{}, dop_b{};  ///< coefficients of W bits
  AxisMapping map_a, map_b;
  std::int64_t offset = 0;  ///< p', W + 2 bits
  std::uint32_t node_a = 0, node_b = 0;
  bool last = false;  ///< the last axis of this pair of nodes
};

/// S_1 and S_2 of Eq. 22.
struct SumPair {
  Wide first = 0, second = 0;
};

/// The pins that are driven in one clock. Without `test` nothing is offered.
struct PipeInputs {
  bool reset = false;
  const AxisTest* test = nullptr;
  bool ready = true;  ///< whoever takes results would take one
};

/// The pins as they stand before the edge that ends the clock.
struct PipeOutputs {
  bool ready = false;  ///< the test offered is accepted at the edge
  bool valid = false;  ///< there is a result; the rest means something only then
  bool separated = false;
  std::uint32_t node_a = 0, node_b = 0;
  bool last = false;

  /// The sums of the last stage but one, where there is a test in it and the unit lets them be seen.
  bool sums_valid = false;
  SumPair sums;
};

class OverlapUnit {
 public:
  OverlapUnit() = default;
  OverlapUnit(const OverlapUnit&) = delete;
  OverlapUnit& operator=(const OverlapUnit&) = delete;
  virtual ~OverlapUnit() = default;

  /// One clock: pins are driven, outputs settle and are read, the edge comes.
  virtual PipeOutputs step(const PipeInputs& inputs) = 0;
  [[nodiscard]] virtual const char* name() const = 0;
  /// Can `sums` be seen? Gates of a netlist have lost them.
  [[nodiscard]] virtual bool shows_sums() const { return true; }
};

}  // namespace snug::hardware
