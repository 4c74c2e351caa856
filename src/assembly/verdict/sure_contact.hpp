#pragma once

#include "penetration/fits.hpp"
#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/verdict.hpp>

#include <array>
#include <span>

// Faces that are known not to cross may still be apart where their triangles meet, and meet where their triangles are apart.

namespace snug::assembly {

/// Do two faces touch by their analytic forms: is there a point, inside the borders of both, where they are tangent but for
/// tolerances and rounding? Known of balls against all forms and of cylinders that lie on planes; false for others.
[[nodiscard]] bool tangent_inside_borders(const PosedSolid& a, std::uint32_t surface_a, const PosedSolid& b,
                                          std::uint32_t surface_b);

/// Do bodies that share points of triangles surely touch, wherever their faces are within their sags? On a flat contact wider
/// than the sags, where triangles that meet are the faces themselves, in a fit without play, or tangent by their forms.
[[nodiscard]] bool touches_surely(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                                  std::span<const ContactPatch> patches, const Fits& fits);

/// The patch is wider than what the borders of its faces may be off.
[[nodiscard]] bool survives(const ContactPatch& patch, double sag);

}  // namespace snug::assembly
