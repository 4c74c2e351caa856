#pragma once

#include "query/ray/contact_memory.hpp"
#include "query/ray/vertex_rays.hpp"

#include <span>

namespace snug::detail {

/// standard_rays() of one or both sides by devices, sent and told at once; contacts are the same, to the last bit: of what a
/// device is certain of, the processor looks at the one triangle, and casts the rest itself. False if no device could.
bool device_rays(std::span<const VertexRays* const> sides, double extension, double culling, ContactMemory& memory,
                 Contacts& out);

}  // namespace snug::detail
