#pragma once

#include "query/ray/contact_memory.hpp"
#include "query/ray/vertex_rays.hpp"

namespace snug::detail {

/// Boxes are enlarged by as many times what predictive rays reach: more than once, or predictions at the rim are lost.
inline constexpr double k_extension = 1.25;

/// The enlarged boxes of both bodies in the world, as far as they overlap; empty if they do not.
[[nodiscard]] Aabb overlap_of(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double extension);

/// Casts rays from all vertices that qualify; those that tell something become contacts.
void standard_rays(const VertexRays& rays, double extension, double culling, ContactMemory& memory, Contacts& out);

/// Adds up what rays told in out.stats.
void count_contacts(Contacts& out);

}  // namespace snug::detail
