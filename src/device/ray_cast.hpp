#pragma once

#include "device/device_set.hpp"
#include "device/dop_walk.hpp"
#include "device/ray_encode.hpp"

namespace snug::detail {

/// Bodies that lie in a device's memory, so that steps need not send them again. Holds them, so that none takes another's place.
struct RayBodies {
  std::vector<Shape> shapes;
  EncodedBodies encoded;
};

/// Casts rays on one device; `told` has as many elements.
[[nodiscard]] DeviceOutcome cast_on_device(Worker& worker, RayBodies& bodies, const DeviceRays& rays,
                                           std::span<DeviceRayTold> told);

}  // namespace snug::detail
