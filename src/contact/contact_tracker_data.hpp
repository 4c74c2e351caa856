#pragma once

#include "contact/contact_ids.hpp"
#include "support/one_user.hpp"
#include "support/rooms.hpp"

#include <snug/contacts.hpp>
#include <snug/tracker.hpp>

#include <optional>
#include <vector>

namespace snug::contact {

/// A ray that hit something, and what.
struct RayState {
  std::uint32_t vertex, triangle;
  bool predicted;
};

/// Two bodies at a moment.
struct PairMoment {
  Shape a, b;
  Pose pose_a, pose_b;
  std::uint64_t step = 0;  ///< its number
};

}  // namespace snug::contact

namespace snug::detail {

/// What a tracker remembers.
struct ContactTrackerData {
  explicit ContactTrackerData(const RayContactOptions& o) : options(o) {}

  RayContactOptions options;
  ContactConstants constants;
  ContactStats stats;
  Scratch scratch;
  std::uint64_t step = 0;                    ///< number of the one that is made, or was
  std::optional<PairMoment> last, standard;  ///< the step before, and the last one with standard rays
  std::vector<RayState> rays[2];             ///< from vertices of a, and of b
  std::optional<Tracker> meeting;            ///< tells which triangles meet
  ContactIds ids;                            ///< of the step before
  bool outside = false;                      ///< no triangles met at the last step, nor was one body within the other

  UserMark user;

  /// What a step changes. One that its budget ends leaves no trace: the next goes on from the step before.
  struct Kept {
    ContactConstants constants;
    std::uint64_t step = 0;
    std::optional<PairMoment> last, standard;
    std::vector<RayState> rays[2];
    ContactIds ids;
    bool outside = false;
  };
  Kept kept;
  void keep() {
    kept.constants = constants, kept.step = step, kept.last = last, kept.standard = standard;
    kept.rays[0] = rays[0], kept.rays[1] = rays[1], kept.ids = ids;
    kept.outside = outside;
  }
  void go_back() {
    constants = kept.constants, step = kept.step, last = kept.last, standard = kept.standard;
    rays[0] = kept.rays[0], rays[1] = kept.rays[1], ids = kept.ids;
    outside = kept.outside;
    meeting.reset();  // it may be of other shapes by now
  }

  void forget() noexcept {
    last.reset(), standard.reset(), meeting.reset(), ids.clear(), rays[0].clear(), rays[1].clear();
    outside = false;
  }
};

struct ContactAccess {
  static ContactTrackerData& data(ContactTracker& tracker) noexcept {
    SNUG_ASSERT(tracker.data_ != nullptr && "a ContactTracker is used after it was moved from");
    return *tracker.data_;
  }
  static const ContactTrackerData& data(const ContactTracker& tracker) noexcept {
    SNUG_ASSERT(tracker.data_ != nullptr && "a ContactTracker is used after it was moved from");
    return *tracker.data_;
  }
};

}  // namespace snug::detail

namespace snug::contact {

using detail::ContactAccess;
using detail::ContactTrackerData;

}  // namespace snug::contact
