#pragma once

#include "device/kept_shapes.hpp"
#include "device/kernels/layout.h"
#include "query/device_set.hpp"
#include "support/rooms.hpp"

namespace snug::device {

/// DOP-trees as they are, for devices that know doubles.
class DopTrees final : public KeptShapes {
 public:
  /// Of one that is there, the first node.
  [[nodiscard]] std::uint32_t first_node(const Shape& shape) const { return first_[place(shape)]; }

 private:
  [[nodiscard]] Needs needs_of(const Worker& worker, const Shape& shape) const override;
  [[nodiscard]] Sent send(Worker& worker, const std::vector<Shape>& shapes) override;
  void clear() noexcept override { first_.clear(), nodes_ = 0; }

  std::vector<std::uint32_t> first_;  ///< by place
  std::size_t nodes_ = 0;
};

/// Pairs of nodes that a level has room for, at least 2. A level that would hold more is divided.
inline constexpr std::uint32_t k_walk_room = std::uint32_t{1} << 20;

/// Some of a walk: all of it from the roots, or what comes of some pairs of nodes.
struct DopPart {
  bool from_roots = true;
  std::vector<SnugDopPair> level;  ///< where it begins, if not there; afterwards, where it has stopped
  std::size_t enough = SIZE_MAX;   ///< it stops at a level of so many
};

/// Walks through the trees of all pairs on one device; `walked` has as many elements. What is walked, and what is told, is of that part.
[[nodiscard]] DeviceOutcome walk_on_device(Worker& worker, DopTrees& trees, std::span<const DopPair> pairs,
                                           const DopSearch& search, DopPart& part, std::span<DopWalked> walked,
                                           std::uint32_t room = k_walk_room);

}  // namespace snug::device
