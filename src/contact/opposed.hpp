#pragma once

#include "contact/complete.hpp"
#include "support/rooms.hpp"

#include <cstddef>

namespace snug::contact {

/// Takes out contacts that push against a shorter way which parts all that crosses and leaves no vertex inside. Where a body reaches
/// through a thin plate, the place on the near side leads back, and that on the far side all the way through: both at once would hold it
/// in the plate. Contacts on either side of a peg in a hole stay, since neither way parts what crosses on the other side. For two bodies;
/// memory.pairs are all pairs of triangles that share a point. Contacts from the one numbered `first_added` on are no longer counted as
/// completed once they are taken out.
void drop_opposed(const ContactBodies& bodies, const ContactMemory& memory, std::size_t first_added, Contacts& out);

}  // namespace snug::contact
