#pragma once

#include "support/rooms.hpp"

#include <snug/contacts.hpp>

#include <cstdint>
#include <vector>

namespace snug::contact {

/// Ids of contacts that are not of vertices, from step to step.
class ContactIds {
 public:
  /// Contacts of triangles get the id of the nearest one of the same surfaces of the step before, no further away than `reach`, each id
  /// once. Others keep their own, unless somebody has it already.
  void hand_on(std::vector<Contact>& contacts, double reach);
  void clear() noexcept { before_.clear(); }

 private:
  /// By which a contact is known again.
  struct Known {
    std::uint64_t id;
    std::uint32_t surface_a, surface_b;
    Point3 at;
    bool taken;
  };
  [[nodiscard]] bool has(std::uint64_t id) const noexcept;

  std::vector<Known> before_, now_;
};

}  // namespace snug::contact
