#pragma once

#include "device/kept_shapes.hpp"
#include "device/ray_encode.hpp"
#include "query/device_set.hpp"
#include "support/rooms.hpp"

namespace snug::device {

/// Bodies as rays want them.
class RayBodies final : public KeptShapes {
 public:
  /// Rays that will be told of, by the step before.
  std::size_t expected = 0;

 private:
  [[nodiscard]] Needs needs_of(const Worker& worker, const Shape& shape) const override;
  [[nodiscard]] Sent send(Worker& worker, const std::vector<Shape>& shapes) override;
  void clear() noexcept override { there_ = {}; }

  EncodedBodies::Counts there_;
};

/// True if rays are too many for a device's memory, whatever bodies they are of.
[[nodiscard]] bool too_many(const Worker& worker, const DeviceRays& rays, const std::vector<RayChunk>& chunks);

/// Casts some of the rays on one device; adds to what is told, and to the work of each side.
[[nodiscard]] DeviceOutcome cast_on_device(Worker& worker, RayBodies& bodies, const DeviceRays& rays,
                                           const std::vector<RayChunk>& chunks, std::vector<DeviceRayTold>& told,
                                           std::span<DeviceRaysTold::Work> work);

}  // namespace snug::device
