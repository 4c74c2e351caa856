#pragma once

#include "query/ray/contact_memory.hpp"
#include "query/ray/vertex_rays.hpp"

namespace snug::detail {

/// Has devices cast the rays of memory.vertices; contacts are those of VertexRays::cast(), to the last bit: of what a device is
/// certain of, the processor looks at the one triangle, and casts the rest itself. False if no device could.
bool device_rays(const VertexRays& rays, double culling, ContactMemory& memory, Contacts& out);

}  // namespace snug::detail
