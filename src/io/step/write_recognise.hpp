#pragma once

#include "support/rooms.hpp"

#include <snug/analytic.hpp>
#include <snug/mesh.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace snug::io {

/// Round surfaces that the triangles of a surface may have been made from, simplest first; whether its vertices lie on
/// them is for the caller to see. Of the surface's kind if it has one; else of any, provided there are facets enough to
/// tell: three lines are always on a cylinder. None for splines.
[[nodiscard]] std::vector<std::pair<SurfaceKind, AnalyticSurface>> round_guesses(const Mesh& mesh,
                                                                                 std::uint32_t surface);

/// Do the triangles follow the form closely enough to believe that it was meant? No facet may span more than a sixth of a
/// turn: a hexagonal prism is no cylinder, a cube no sphere.
[[nodiscard]] bool is_believable(const Mesh& mesh, std::uint32_t surface, SurfaceKind kind,
                                 const AnalyticSurface& form);

}  // namespace snug::io
