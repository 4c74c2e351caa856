#pragma once

#include "support/rooms.hpp"

#include <snug/contacts.hpp>

#include <span>

namespace snug::contact {

/// Brings up to `most` of the contacts to the front, at most four: the deepest, then those that span the largest area with
/// what is there already. Returns how many. Does not depend on the order of the contacts, nor on that of the bodies.
std::size_t choose(std::span<Contact> contacts, std::size_t most = 4) noexcept;

/// Sorts contacts by patch and within one, and lists the patches.
void arrange(Contacts& out);

}  // namespace snug::contact
