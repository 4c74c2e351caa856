#pragma once

#include "support/rooms.hpp"

#include <snug/contacts.hpp>

#include <cstdint>
#include <vector>

namespace snug::contact {

/// Ids of contacts of regions, from step to step.
class ContactIds {
 public:
  /// A contact of a region gets the id of the nearest one of the step before, seen as it moved with either body, if that is no further away
  /// than `reach` and the bodies have not moved further against each other there; each id once. Others keep their own, unless somebody
  /// has it already. Points of a manifold that are nobody's yet are then those that have moved on along a curved surface: the nearest within a
  /// quarter of the manifold's width. `out` has the contacts of regions only.
  void hand_on(Contacts& out, const Pose& pose_a, const Pose& pose_b, double reach);
  void clear() noexcept { before_.clear(); }

 private:
  /// A contact of the step before, in the frames of both bodies.
  struct Known {
    std::uint64_t id;
    Point3 in_a, in_b;
    bool taken;
  };
  /// Where one is now if it moved with one of the bodies.
  struct Expected {
    Point3 at;
    std::uint32_t known;
  };
  /// The nearest of the step before that is not taken; null if none is within reach.
  Known* nearest(const Point3& at, double reach) noexcept;

  std::vector<Known> before_, now_;
  std::vector<Expected> expected_;  ///< by x
  std::vector<std::uint64_t> ids_;  ///< all that are in use, ascending
  std::vector<char> known_;         ///< per contact: it has the id of one before
};

}  // namespace snug::contact
