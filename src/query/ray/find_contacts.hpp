#pragma once

#include "query/ray/vertex_rays.hpp"

namespace snug::detail {

/// Boxes are enlarged by as many times what predictive rays reach: more than once, or predictions at the rim are lost.
inline constexpr double k_extension = 1.25;

/// Casts rays from all vertices that qualify; those that tell something become contacts.
void standard_rays(const VertexRays& rays, const ContactConstants& constants, double culling, Contacts& out);

/// Adds up what rays told in out.stats.
void count_contacts(Contacts& out);

}  // namespace snug::detail
