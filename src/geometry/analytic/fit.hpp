#pragma once

#include "support/rooms.hpp"

#include <snug/analytic.hpp>
#include <snug/vec.hpp>

#include <optional>
#include <span>

namespace snug::geometry {

struct FittedSurface {
  SurfaceKind kind = SurfaceKind::plane;
  AnalyticSurface surface;  ///< valid; `recognised` is left to the caller
  double residual = 0;      ///< largest distance of a point from it
};

/// The simplest of plane, sphere, cylinder, cone and torus that a face with these points, and there with these normals out
/// of the material, is cut from: every point lies within relative_tolerance times the diagonal of the points' box, and
/// every normal within its square root (radians), more where the surface is that narrow. A round kind is only given if
/// the simpler ones miss by a clear multiple of the tolerance: what is nearly flat is no sphere, and what is barely not a
/// cylinder is no torus. Normals of length zero (at a pole) are skipped. None if nothing fits, if there are too few
/// points to tell (fewer than twice the kind's parameters), or if points are not finite or all on one line.
[[nodiscard]] std::optional<FittedSurface> fit_analytic(std::span<const Point3> points, std::span<const Vec3> normals,
                                                        double relative_tolerance);

}  // namespace snug::geometry
