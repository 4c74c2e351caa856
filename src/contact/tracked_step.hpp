#pragma once

#include "contact/device_rays.hpp"
#include "support/rooms.hpp"

#include <snug/contacts.hpp>

#include <memory>
#include <vector>

namespace snug::contact {

/// A step of a tracker in parts, so that devices can be asked for the rays of many at once: begin(); then finish(), with what devices
/// told if they did. Between them nobody else may use the tracker. Borrows everything.
class TrackedStep {
 public:
  TrackedStep(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, ContactTracker& tracker,
              Contacts& out);
  ~TrackedStep();
  TrackedStep(TrackedStep&&) noexcept;

  /// All of it at once, by the processor: once warm it does not allocate.
  static void by_itself(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, ContactTracker& tracker,
                        Contacts& out);

  void begin();
  /// After begin(), for trackers whose rays are for devices: what to ask them, if anything.
  [[nodiscard]] std::vector<AskedRays>& asked() noexcept { return asked_; }
  /// The rays by the processor.
  void finish();
  /// The rays by devices: told of those asked for, whose first is number `first` there.
  void finish(const DeviceRaysTold& told, std::uint32_t first);

 private:
  class Step;
  std::unique_ptr<Step> step_;
  std::vector<AskedRays> asked_;
};

}  // namespace snug::contact
