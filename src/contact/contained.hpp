#pragma once

#include "contact/complete.hpp"
#include "support/rooms.hpp"

namespace snug::contact {

/// Contacts for shells of either body that lie inside closed shells of the other without meeting its surface, which no ray of their
/// own vertices tells of: at the corners that span a shell, all along the nearest way that takes it out as a whole.
/// memory.pairs are all pairs of triangles that share a point. True if there are such shells.
bool add_contained(const ContactBodies& bodies, const RayContactOptions& options, ContactMemory& memory, Contacts& out);

}  // namespace snug::contact
