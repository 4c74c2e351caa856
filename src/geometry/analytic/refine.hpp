#pragma once

#include "support/rooms.hpp"

#include <snug/analytic.hpp>
#include <snug/vec.hpp>

#include <span>

namespace snug::geometry {

/// The surface of the kind with the least sum of squared distances from the points, searched from `guess` (Levenberg and
/// Marquardt); points centred and about of size one. The radius of a torus may be negative, see first_guess().
[[nodiscard]] AnalyticSurface refined(SurfaceKind kind, const AnalyticSurface& guess, std::span<const Point3> points);

}  // namespace snug::geometry
