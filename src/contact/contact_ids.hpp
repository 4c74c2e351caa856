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
  /// has it already.
  void hand_on(std::vector<Contact>& contacts, const Pose& pose_a, const Pose& pose_b, double reach);
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
  [[nodiscard]] bool has(std::uint64_t id) const noexcept;

  std::vector<Known> before_, now_;
  std::vector<Expected> expected_;  ///< by x
  std::vector<std::uint64_t> ids_;  ///< all that are in use, ascending
};

}  // namespace snug::contact
