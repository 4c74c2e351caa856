#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <optional>
#include <span>
#include <vector>

namespace snug::penetration {

/// A ball that lies inside both bodies: the exact location of its centre and a bound on the distance of every triangle
/// prove it.
struct CommonBall {
  Point3 centre;
  double radius = 0;
};

/// Looks for a large ball inside both: in some places, then, if none is found, in every place that the meeting triangles
/// suggest. What it returns is certain; that nothing larger exists is not. Balls no larger than `finest` are of no interest.
/// With holes filled the radius does not respect the fillings.
[[nodiscard]] std::optional<CommonBall> find_common_ball(const PosedSolid& a, const PosedSolid& b, Filling filling,
                                                         std::span<const TrianglePair> pairs, double finest);

/// The same among balls that lie inside both parts wherever their faces are within their sags.
[[nodiscard]] std::optional<CommonBall> find_firm_ball(const PosedSolid& a, const PosedSolid& b,
                                                       std::span<const TrianglePair> pairs, double finest);

/// Unit vectors towards `p` from every triangle of both bodies that comes within `reach` of it.
[[nodiscard]] std::vector<Vec3> directions_from_surfaces(const PosedSolid& a, const PosedSolid& b, Filling filling,
                                                         const Point3& p, double reach);

}  // namespace snug::penetration
