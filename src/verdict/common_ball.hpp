#pragma once

#include "verdict/posed_solid.hpp"

#include <snug/query.hpp>

#include <optional>
#include <span>
#include <vector>

namespace snug::detail {

/// A ball that lies inside both bodies: the exact location of its centre and a bound on the distance of every triangle
/// prove it.
struct CommonBall {
  Point3 centre;
  double radius = 0;
};

/// Looks for the largest ball inside both, first around the places where triangles meet (`pairs`), then inside triangles
/// that reach into the common box, then on a coarse grid; from the best of those it climbs. What it returns is certain;
/// that nothing larger exists is not. With holes filled the radius does not respect the fillings.
[[nodiscard]] std::optional<CommonBall> find_common_ball(const PosedSolid& a, const PosedSolid& b, Filling filling,
                                                         std::span<const TrianglePair> pairs);

/// Unit vectors towards `p` from every triangle of both bodies that comes within `reach` of it.
[[nodiscard]] std::vector<Vec3> directions_from_surfaces(const PosedSolid& a, const PosedSolid& b, Filling filling,
                                                         const Point3& p, double reach);

}  // namespace snug::detail
