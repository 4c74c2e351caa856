#pragma once

#include "bench/peers/engine.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Many boxes that move, and which of them share a point: our broad phase and its peers behind one interface.

namespace snug::bench {

class MovingBoxes {
 public:
  virtual ~MovingBoxes() = default;
  /// Makes what step() moves.
  virtual void start(std::span<const Aabb> boxes) = 0;
  /// Timed: takes over the boxes, of which `moved` are others than before, and finds all pairs.
  virtual void step(std::span<const Aabb> boxes, std::span<const std::uint32_t> moved) = 0;
  /// What step() has found, in any order.
  virtual void pairs(std::vector<IdPair>& out) const = 0;
};

struct BoxEngine {
  std::string_view name;
  std::string version;
  std::unique_ptr<MovingBoxes> (*make)();
};

/// Ours first, then the peers found at configure time.
[[nodiscard]] std::span<const BoxEngine> box_engines();

[[nodiscard]] std::unique_ptr<MovingBoxes> make_our_boxes();
[[nodiscard]] std::unique_ptr<MovingBoxes> make_fcl_boxes();
[[nodiscard]] std::unique_ptr<MovingBoxes> make_embree_boxes();
[[nodiscard]] std::string fcl_version();
[[nodiscard]] std::string embree_version();

}  // namespace snug::bench
