#pragma once

#include "contact/complete.hpp"
#include "contact/places.hpp"
#include "support/rooms.hpp"

namespace snug::contact {

/// Where vertices tell of a place but leave much of it bare, as those of few large triangles do: adds contacts of edges. An
/// edge that passes through the surface of the other body gets a ray from just inside, against the mean normal of its two
/// triangles, as a vertex would. Farthest from the contacts there are come first, until none is further from one than a
/// tenth of the place; those much less or much more deep than the deepest of its vertices are left out.
/// Where no vertex tells, as where one bar lies across another, all that edges tell counts.
/// memory.told tells by the first pair of each place whether a vertex tells of it, and afterwards whether an edge does.
void add_edges(const ContactBodies& bodies, const RayContactOptions& options, ContactMemory& memory, Places& places,
               Contacts& out);

}  // namespace snug::contact
