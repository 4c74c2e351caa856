#pragma once

#include <snug/device.hpp>

#include <cstdint>

namespace snug {

/// What devices were given, and did.
struct DeviceWork {
  std::uint64_t rays = 0;        ///< and walks of rays
  std::uint64_t redone = 0;      ///< of those, what the processor had to cast again
  std::uint64_t tree_pairs = 0;  ///< pairs of DOP-trees
};

/// Since they were opened, for whoever asked.
[[nodiscard]] SNUG_API DeviceWork work_of(const Devices& devices);

}  // namespace snug
