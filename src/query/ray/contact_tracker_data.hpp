#pragma once

#include "query/ray/contact_ids.hpp"
#include "query/ray/relative_motion.hpp"

#include <snug/contacts.hpp>
#include <snug/tracker.hpp>

#include <optional>
#include <vector>

namespace snug::detail {

/// A ray that hit something, and what.
struct RayState {
  std::uint32_t vertex, triangle;
  bool predicted;
};

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
  // When all pairs of triangles were last looked for:
  std::vector<TrianglePair> met;     ///< those that met
  std::optional<PairMoment> looked;  ///< where the bodies were
  std::size_t told = 0;              ///< contacts of rays
  bool had_to_complete = false;      ///< others were added
  bool outside = false;              ///< no two met, nor was one body within the other

  void forget() noexcept {
    last.reset(), standard.reset(), meeting.reset(), ids.clear(), rays[0].clear(), rays[1].clear();
    met.clear(), looked.reset();
    outside = false;
  }
};

struct ContactAccess {
  static ContactTrackerData& data(ContactTracker& tracker) noexcept { return *tracker.data_; }
  static const ContactTrackerData& data(const ContactTracker& tracker) noexcept { return *tracker.data_; }
};

}  // namespace snug::detail
