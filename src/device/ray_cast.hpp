#pragma once

#include "device/device_set.hpp"
#include "device/dop_walk.hpp"
#include "device/ray_encode.hpp"

#include <memory>
#include <unordered_map>

namespace snug::detail {

/// Bodies that lie in a device's memory, so that steps need not send them again. Does not keep them alive.
class RayBodies {
 public:
  /// Sends those that are not there yet, behind the others. Where there is no room, or most of what is there has not been asked for
  /// of late, only those are kept that have.
  [[nodiscard]] DeviceOutcome bring(Worker& worker, const DeviceRays& rays, const std::vector<RayChunk>& chunks);
  [[nodiscard]] std::uint32_t place(const Shape& shape) const;
  /// Rays that will be told of, by the step before.
  std::size_t expected = 0;

 private:
  struct Kept {
    std::weak_ptr<const ShapeData> shape;  ///< another one may come to lie in the same place
    std::uint32_t place = 0;
    std::uint64_t used = 0;
    std::size_t triangles = 0;
  };
  void forget() noexcept;
  [[nodiscard]] bool knows(const Shape& shape) const;
  /// Forgets what was not asked for of late; those that are still there are to be sent again.
  [[nodiscard]] std::vector<Shape> shed(const std::vector<Shape>& wanted);
  [[nodiscard]] DeviceOutcome send(Worker& worker, const std::vector<Shape>& shapes);

  std::unordered_map<const ShapeData*, Kept> kept_;
  EncodedBodies::Counts there_;
  std::uint64_t calls_ = 0;
};

/// Casts some of the rays on one device; adds to what is told, and to the work of each side.
[[nodiscard]] DeviceOutcome cast_on_device(Worker& worker, RayBodies& bodies, const DeviceRays& rays,
                                           const std::vector<RayChunk>& chunks, std::vector<DeviceRayTold>& told,
                                           std::span<DeviceRaysTold::Work> work);

}  // namespace snug::detail
