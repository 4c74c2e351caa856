#pragma once

#include "chip/model/overlap_unit.hpp"

#include <functional>
#include <vector>

// The whole chip seen from its memory and its host, clock by clock (docs/chip-system.md). Plain C++17.

namespace snug::hardware {

/// Nine coordinates of a triangle, as they lie in memory.
using CornerWords = std::array<std::int64_t, 9>;

/// What the host sets before a start.
struct SystemSetup {
  std::uint32_t nodes_a = 0, nodes_b = 0, triangles_a = 0, triangles_b = 0;
  unsigned axes = 1;
  bool go_on = false;
  struct Axis {
    AxisMapping a, b;
    std::int64_t offset = 0;
  };
  std::vector<Axis> axis;
  /// The triangle unit's arithmetic, which docs/triangle-unit.md fixes; when it is asked is the chip's business.
  std::function<bool(const CornerWords& a, const CornerWords& b)> may_meet;
};

struct SystemInputs {
  bool reset = false, start = false, request_ready = false;
  bool beat_valid = false, beat_error = false;
  std::array<std::uint64_t, 2> beat{};
  bool hit_ready = true;
};

struct SystemOutputs {
  bool request_valid = false;
  std::uint32_t request_address = 0;
  unsigned request_bursts = 0;
  bool hit_valid = false;
  std::uint32_t hit_a = 0, hit_b = 0;
  bool busy = false, done = false, overflow = false, error = false;
};

}  // namespace snug::hardware
