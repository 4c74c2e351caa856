#pragma once

#include "query/ray/contact_memory.hpp"
#include "query/ray/ray_target.hpp"

#include <snug/contacts.hpp>

namespace snug::detail {

/// Two bodies as contacts see them, or one twice: then all vertices are a's.
struct ContactBodies {
  const RayTarget &a, &b;
  [[nodiscard]] bool same() const noexcept { return &a == &b; }
};

/// Holds what rays told to what is so: takes out all that is not predicted if the bodies share no point, and adds contacts
/// where they do and no ray tells. memory.pairs are all pairs of triangles that share a point, ordered. A place where bodies
/// meet is a set of such pairs that hang together by common triangles; it is told if a corner of one of them has a contact.
void complete(const ContactBodies& bodies, const RayContactOptions& options, ContactMemory& memory, Contacts& out);

/// The second half of it: contacts for the places that are not told.
void add_untold(const ContactBodies& bodies, ContactMemory& memory, Contacts& out);

}  // namespace snug::detail
