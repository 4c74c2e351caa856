#pragma once

#include "query/dop/dop.hpp"
#include "query/ray/ray_walk.hpp"

#include <snug/device.hpp>

#include <span>
#include <string>
#include <vector>

namespace snug::detail {

/// What a walk through two DOP-trees finds on a device: leaves that no axis tells apart, ordered by (a, b), and what it did.
struct DopWalked {
  std::vector<DopNodePair> leaves;  ///< by their triangles
  std::uint64_t node_pairs = 0, axis_tests = 0;
};

/// A line to be cast at a body.
struct DeviceRay {
  RayWalk walk;              ///< as LineWalk::prepare() and narrow() make it
  double zero = 0;           ///< where the ray begins, along the walk
  std::uint32_t target = 0;  ///< which body
};
/// What it meets first within its limits, ahead and behind: a triangle, nothing, or what floats can not tell.
struct DeviceRayTold {
  static constexpr std::uint32_t k_none = 0xffffffff, k_redo = 0xfffffffe;
  std::uint32_t ahead = k_redo, behind = k_redo;
  std::uint32_t boxes = 0, triangles = 0;  ///< that it was compared with
};
struct DeviceRays {
  std::span<const Shape* const> targets;
  std::span<const DeviceRay> rays;
  bool basic = false;  ///< past every triangle, without boxes
  /// For each ray, which of the devices in use is to cast it, if that matters: pairs of bodies stay where they are.
  std::span<const std::uint32_t> owners = {};
};

/// Opened devices, seen from queries. Knows nothing of OpenCL, so that queries need not.
class DeviceSet {
 public:
  virtual ~DeviceSet() = default;
  DeviceSet() = default;
  DeviceSet(const DeviceSet&) = delete;
  DeviceSet& operator=(const DeviceSet&) = delete;

  [[nodiscard]] virtual std::vector<DeviceInfo> list() const = 0;
  [[nodiscard]] virtual std::string why_none() const = 0;
  [[nodiscard]] virtual std::vector<std::string> warnings() const = 0;

  /// Walks through the trees of all pairs, in fixed point, each pair by itself; false if no device could, and nothing is told
  /// then.
  [[nodiscard]] virtual bool walk(std::span<const DopPair> pairs, const DopSearch& search,
                                  std::vector<DopWalked>& walked) = 0;

  /// Casts rays; what is told of one is certain. False if no device could.
  [[nodiscard]] virtual bool cast(const DeviceRays& rays, std::vector<DeviceRayTold>& told) = 0;
};

struct DeviceAccess {
  static DeviceSet& set(const Devices& devices) noexcept { return *devices.set_; }
  static Devices make(std::shared_ptr<DeviceSet> set) noexcept { return Devices(std::move(set)); }
};

/// Opens what there is; in a build without OpenCL, nothing.
[[nodiscard]] std::shared_ptr<DeviceSet> open_device_set(const DeviceOptions& options);

/// A set without devices, and why.
[[nodiscard]] std::shared_ptr<DeviceSet> no_devices(std::string why);

}  // namespace snug::detail
