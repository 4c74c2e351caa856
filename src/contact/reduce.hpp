#pragma once

#include "support/rooms.hpp"

#include <snug/contacts.hpp>

#include <cstddef>
#include <span>

namespace snug::contact {

/// Contacts whose depth differs by no more than this share of the deepest are as good as that.
inline constexpr double k_as_deep = 0x1p-10;

/// Brings up to `most` of the contacts to the front, at most four: the deepest, then those that span the largest area with
/// what is there already. Returns how many. Does not depend on the order of the contacts, nor on that of the bodies.
std::size_t choose(std::span<Contact> contacts, std::size_t most = 4) noexcept;

/// Sorts contacts of rays, those from `first` on, by surfaces and within two surfaces, and adds their patches.
void add_ray_patches(Contacts& out, std::size_t first);

/// Where a contact is: between its two sides, the same whichever body comes first.
[[nodiscard]] inline Point3 midpoint_of(const Contact& contact) noexcept {
  return 0.5 * contact.on_a + 0.5 * contact.on_b;
}

}  // namespace snug::contact
