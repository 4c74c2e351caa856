#include <snug/contacts.hpp>

#include "query/shape_data.hpp"

namespace snug {

namespace detail {

struct ContactTrackerData {
  explicit ContactTrackerData(const RayContactOptions& o) : options(o) {}

  RayContactOptions options;
  ContactConstants constants;
  ContactStats stats;
  Scratch scratch;
};

struct ContactAccess {
  static ContactTrackerData& data(ContactTracker& tracker) noexcept { return *tracker.data_; }
};

}  // namespace detail

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
void ContactTracker::forget() noexcept {}

void contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, ContactTracker& tracker,
              Contacts& out) {
  detail::ContactTrackerData& d = detail::ContactAccess::data(tracker);
  contacts(a, pose_a, b, pose_b, d.scratch, out, d.options).value();
  d.stats += out.stats;
}

Contacts contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, ContactTracker& tracker) {
  Contacts found;
  contacts(a, pose_a, b, pose_b, tracker, found);
  return found;
}

}  // namespace snug
