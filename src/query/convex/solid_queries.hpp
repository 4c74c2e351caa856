#pragma once

#include "query/convex/depth.hpp"
#include "shape/posed.hpp"
#include "support/rooms.hpp"

#include <snug/distance.hpp>

#include <cstdint>
#include <vector>

// The queries of two bodies of which at least one is a primitive, by convex search. What they promise is in snug/primitive.hpp.

namespace snug::query {

/// What its name says in snug/query.hpp, of any two bodies at valid poses.
[[nodiscard]] double solid_resolution(const Posed& a, const Posed& b) noexcept;
[[nodiscard]] bool solids_within(const Posed& a, const Posed& b, double clearance);
[[nodiscard]] Distance solid_distance(const Posed& a, const Posed& b);
/// The triangles of a mesh that share a point with a primitive, in no order, behind what the list holds.
void triangles_in_solid(const Posed& primitive, const Posed& mesh, std::vector<std::uint32_t>& triangles);

// Preconditions from here on: valid poses, a clearance that is not NaN.

[[nodiscard]] bool primitives_within(const Posed& a, const Posed& b, double clearance) noexcept;
[[nodiscard]] Distance primitive_distance(const Posed& a, const Posed& b) noexcept;
[[nodiscard]] SignedDistance signed_primitive_distance(const Posed& a, const Posed& b, DepthMemory& memory);
/// If `all` is given, finds all triangles, otherwise whether there is one.
[[nodiscard]] bool triangles_within(const Posed& primitive, const Posed& mesh, double clearance,
                                    std::vector<std::uint32_t>* all);
/// a is the primitive, b the mesh.
[[nodiscard]] Distance triangle_distance(const Posed& primitive, const Posed& mesh);

}  // namespace snug::query
