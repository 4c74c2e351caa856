#pragma once

#include "query/pairs/dop/dop.hpp"
#include "support/rooms.hpp"

#include <snug/device_work.hpp>
#include <snug/pose.hpp>
#include <snug/shape.hpp>

#include <array>
#include <span>
#include <string>
#include <vector>

namespace snug::query {

/// What a walk through two DOP-trees finds on a device: leaves that no axis tells apart, ordered by (a, b), and what it did.
struct DopWalked {
  std::vector<DopNodePair> leaves;  ///< by their triangles
  std::uint64_t node_pairs = 0, axis_tests = 0;
};

/// A ray from a vertex against its normal, and the other way as far as its side asks for that.
struct DeviceRay {
  static constexpr std::uint32_t k_through = ~std::uint32_t{0};
  std::uint32_t vertex = 0;
  std::uint32_t triangle =
      k_through;      ///< of the target, where a walk from triangle to triangle begins; or through it all
  double ahead = -1;  ///< how far hits matter; negative: not at all
};
/// The rays of one body of a pair, the source, at the other: all walks, or all through it.
struct DeviceRaySide {
  const Shape *source = nullptr, *target = nullptr;
  const Pose *pose_source = nullptr, *pose_target = nullptr;
  double behind = -1;  ///< how far behind their beginnings hits matter; negative: not at all
  unsigned most = 0;   ///< triangles that a walk comes by at most; 0 for rays through the target
  std::span<const DeviceRay> rays;
  std::uint32_t owner = 0;  ///< which of the devices in use is to cast them, if `owned`
};
struct DeviceRays {
  std::span<const DeviceRaySide> sides;
  bool basic = false;    ///< past every triangle, without boxes
  bool owned = false;    ///< pairs have devices of their own; otherwise rays are divided evenly
  bool project = false;  ///< hits become contacts there, where devices know doubles
};
/// What the first hit of a ray tells, with its contact re-projected, in the bits of the processor.
struct DeviceProjected {
  enum class Tells : std::uint8_t {
    undecided,  ///< the processor has to look
    nothing,
    contact,
    prediction,
  } tells = Tells::undecided;
  std::uint32_t triangle = 0;
  double t = 0, depth = 0;
  Vec3 normal;
  Point3 there;  ///< on the target's side of the contact
};
/// What comes back of a ray that may tell something.
struct DeviceRayTold {
  static constexpr std::uint32_t k_none = 0xffffffff, k_redo = 0xfffffffe, k_left = 0xfffffffd;
  std::uint32_t side = 0, ray = 0;  ///< by their places
  /// All that it may meet first, ahead or behind, before k_none; or k_redo: floats can not tell; or k_left: it fitted into no
  /// device. Of a walk: the triangle that it came to, and how many it left behind; of one that fitted into none, where it began.
  std::array<std::uint32_t, 7> triangle{};
  DeviceProjected projected;
};
struct DeviceRaysTold {
  std::vector<DeviceRayTold>
      told;  ///< by side, then ray; those not there meet nothing that matters, and walks are lost
  /// What devices did.
  struct Work {
    std::uint64_t rays = 0, groups = 0;      ///< that they cast, and groups of items that it took
    std::uint64_t told = 0;                  ///< of those, that came back
    std::uint64_t boxes = 0, triangles = 0;  ///< that rays were compared with; of walks, triangles left behind
    Work& operator+=(const Work& o) noexcept {
      rays += o.rays, groups += o.groups, told += o.told, boxes += o.boxes, triangles += o.triangles;
      return *this;
    }
  };
  std::vector<Work> work;  ///< by side
};

}  // namespace snug::query

namespace snug::detail {

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

  /// Casts rays, with one transfer each way for each device, a second one back where much more is told than by the call before,
  /// and some for bodies that are new there; what is told of one is certain. False if no device could.
  [[nodiscard]] virtual bool cast(const DeviceRays& rays, DeviceRaysTold& told) = 0;
  /// The places in list() of the devices in use.
  [[nodiscard]] virtual std::vector<std::uint32_t> in_use() const = 0;
  [[nodiscard]] virtual DeviceWork work() const = 0;
};

struct DeviceAccess {
  static DeviceSet& set(const Devices& devices) noexcept { return *devices.set_; }
  static Devices make(std::shared_ptr<DeviceSet> set) noexcept { return Devices(std::move(set)); }
};

}  // namespace snug::detail

namespace snug::query {

using detail::DeviceAccess;
using detail::DeviceSet;

/// Opens what there is; in a build without OpenCL, nothing.
[[nodiscard]] std::shared_ptr<DeviceSet> open_device_set(const DeviceOptions& options);

/// A set without devices, and why.
[[nodiscard]] std::shared_ptr<DeviceSet> no_devices(std::string why);

}  // namespace snug::query
