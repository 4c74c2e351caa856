#pragma once

#include "device/device_set.hpp"
#include "device/worker.hpp"

namespace snug::detail {

/// How a piece of work on a device ended.
enum class DeviceOutcome : std::uint8_t {
  done,
  failed,        ///< and so did the device
  does_not_fit,  ///< its memory is too small
};

/// Pairs of nodes that a level has room for, at least 2. A level that would hold more is divided.
inline constexpr std::uint32_t k_walk_room = std::uint32_t{1} << 20;

/// Walks through the trees of all pairs on one device; `walked` has as many elements.
[[nodiscard]] DeviceOutcome walk_on_device(Worker& worker, std::span<const DopPair> pairs, const DopSearch& search,
                                           std::span<DopWalked> walked, std::uint32_t room = k_walk_room);

}  // namespace snug::detail
