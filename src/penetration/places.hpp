#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <functional>
#include <span>

namespace snug::penetration {

/// Gets a place, returns whether to go on.
using PlaceVisitor = std::function<bool(const Point3&)>;

/// Calls visit with some places where two bodies may have a common inside: on a grid over the common box, on both sides of
/// where triangles meet, near and far, and below the middle of triangles that reach into the common box. Few enough for
/// every pair of parts; enough for overlaps worth the name.
void for_some_places(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                     const PlaceVisitor& visit);

/// The same at every pair and every triangle, as close as the pair itself suggests and down to `finest`. If interiors
/// overlap, some part of one surface lies inside the other body, and its rim is where the surfaces meet; that is why these
/// places find overlaps between aligned faces, where no two triangles cross.
void for_every_place(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs, double finest,
                     const PlaceVisitor& visit);

/// How far triangles that cross reach through each other: the smaller of what stands out on either side of both planes, and
/// the length of the line they share.
[[nodiscard]] double mutual_reach(const Triangle& a, const Triangle& b) noexcept;

/// How far triangles that are flush by design may seem to cross: the resolution, which tilts their planes, seen from as far
/// as they reach.
[[nodiscard]] double crossing_noise(const Triangle& a, const Triangle& b, double resolution) noexcept;

/// Smallest height of a triangle.
[[nodiscard]] double width_of(const Triangle& t) noexcept;

}  // namespace snug::penetration
