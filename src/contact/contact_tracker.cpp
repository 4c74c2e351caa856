#include <snug/contacts.hpp>

#include "contact/contact_tracker_data.hpp"
#include "contact/find_contacts.hpp"
#include "contact/tracked_step.hpp"
#include "shape/shape_data.hpp"

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
  const support::OneUser user(detail::ContactAccess::data(tracker).user);
  if (!shape::are_valid_meshes(a, pose_a, b, pose_b)) {
    out.clear();
    out.because = Undecided::invalid_input;
    return;
  }
  if (tracker.options().device != Device::opencl) {
    contact::TrackedStep::by_itself(a, pose_a, b, pose_b, tracker, out);
    return;
  }
  contact::TrackedStep step(a, pose_a, b, pose_b, tracker, out);
  step.begin();
  query::DeviceRaysTold told;
  if (!step.asked().empty() && contact::ask_devices(step.asked(), tracker.options(), told))
    step.finish(told, 0);
  else
    step.finish();
}

Outcome<Answer> try_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             ContactTracker& tracker, Contacts& out, const Budget& budget) {
  using namespace contact;
  ContactTrackerData& data = ContactAccess::data(tracker);
  const OneUser user(data.user);
  out.clear();
  if (!are_valid_meshes(a, pose_a, b, pose_b)) return {.because = out.because = Undecided::invalid_input};
  if (!prepared_for_contacts(a, b, budget)) return {.because = out.because = Undecided::cancelled};
  Fuel fuel(budget);
  const UnderBudget under(Access::data(data.scratch).get<ContactMemory>(), fuel);
  if (fuel.spend(1)) {
    data.keep();
    TrackedStep::by_itself(a, pose_a, b, pose_b, tracker, out);
    if (fuel.why()) data.go_back();
  }
  if (fuel.why()) out.clear(), out.because = fuel.why();
  return answer_of(out);
}

Contacts contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, ContactTracker& tracker) {
  Contacts found;
  contacts(a, pose_a, b, pose_b, tracker, found);
  return found;
}

}  // namespace snug
