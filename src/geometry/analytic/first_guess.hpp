#pragma once

#include "support/rooms.hpp"

#include <snug/analytic.hpp>
#include <snug/vec.hpp>

#include <optional>
#include <span>

namespace snug::geometry {

/// Points of a face, centred and about of size one, and their outward normals.
struct OrientedPoints {
  std::span<const Point3> points;
  std::span<const Vec3> normals;  ///< unit, or zero where unknown
};

/// A surface of that kind close to the points, found by linear least squares from points and normals; exact where they
/// are. `hollow` is not set. The radius of a torus is negative if the points lie on the inner branch of one whose tube is
/// wider than its circle. None where the system has no solution.
[[nodiscard]] std::optional<AnalyticSurface> first_guess(SurfaceKind kind, const OrientedPoints& face);

}  // namespace snug::geometry
