#include <snug/contacts.hpp>

#include "query/ray/contact_tracker_data.hpp"
#include "query/ray/tracked_step.hpp"

namespace snug {

ContactTracker::ContactTracker() : ContactTracker(RayContactOptions{}) {}
ContactTracker::ContactTracker(const RayContactOptions& options)
    : data_(std::make_unique<detail::ContactTrackerData>(options)) {}
ContactTracker::~ContactTracker() = default;
ContactTracker::ContactTracker(ContactTracker&&) noexcept = default;
ContactTracker& ContactTracker::operator=(ContactTracker&&) noexcept = default;

Result<ContactTracker, ContactError> ContactTracker::make(const RayContactOptions& options) {
  if (const auto valid = validate(options); !valid) return Failure{valid.error()};
  return ContactTracker(options);
}

const RayContactOptions& ContactTracker::options() const noexcept { return data_->options; }
const ContactConstants& ContactTracker::constants() const noexcept { return data_->constants; }
const ContactStats& ContactTracker::stats() const noexcept { return data_->stats; }
void ContactTracker::forget() noexcept { data_->forget(); }

void contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, ContactTracker& tracker,
              Contacts& out) {
  if (tracker.options().device != Device::opencl) {
    detail::TrackedStep::by_itself(a, pose_a, b, pose_b, tracker, out);
    return;
  }
  detail::TrackedStep step(a, pose_a, b, pose_b, tracker, out);
  step.begin();
  detail::DeviceRaysTold told;
  if (!step.asked().empty() && detail::ask_devices(step.asked(), tracker.options(), told))
    step.finish(told, 0);
  else
    step.finish();
}

Contacts contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, ContactTracker& tracker) {
  Contacts found;
  contacts(a, pose_a, b, pose_b, tracker, found);
  return found;
}

}  // namespace snug
