#pragma once

#include "device/device_set.hpp"
#include "device/dop_walk.hpp"
#include "device/ray_encode.hpp"

#include <unordered_map>

namespace snug::detail {

/// Bodies that lie in a device's memory, so that steps need not send them again. Holds them, so that none takes another's place.
struct RayBodies {
  std::vector<Shape> shapes;
  std::unordered_map<const ShapeData*, std::uint32_t> place;
  EncodedBodies encoded;
  std::size_t expected = 0;  ///< rays that will be told of, by the step before
};

/// Casts some of the rays on one device; adds to what is told, and to the work of each side.
[[nodiscard]] DeviceOutcome cast_on_device(Worker& worker, RayBodies& bodies, const DeviceRays& rays,
                                           const std::vector<RayChunk>& chunks, std::vector<DeviceRayTold>& told,
                                           std::span<DeviceRaysTold::Work> work);

}  // namespace snug::detail
