#pragma once

#include "support/rooms.hpp"

#include <snug/analytic.hpp>
#include <snug/vec.hpp>

namespace snug::geometry {

// All three ask for an analytic kind and a valid surface, with coordinates whose squares are finite. A cone is the nappe
// that widens along its axis. A torus whose tube is wider than its circle has two branches, the apple and the lemon in
// it, and is both.

/// Signed distance to the endless surface: negative on the side of the axis, the centre or the tube's circle, of a plane
/// behind its normal; whether the surface is hollow does not matter. Error: a few roundings of the largest length.
[[nodiscard]] double distance_to(SurfaceKind kind, const AnalyticSurface& surface, const Point3& p) noexcept;

/// Unit normal at the surface's point closest to p, out of the material. Where several are closest (on the axis, at the
/// centre, at an apex) one of them.
[[nodiscard]] Vec3 normal_at(SurfaceKind kind, const AnalyticSurface& surface, const Point3& p) noexcept;

/// Upper bound, up to rounding, on the distance of any point of the triangle from the endless surface. For planes,
/// cylinders, cones and spheres it is that distance. For tori it is at most 1 % above it, plus 1e-12 of the extent,
/// as long as a fixed number of steps suffices; between the branches of a spindle up to 3 % were seen. It is a bound in any
/// case.
[[nodiscard]] double deviation(SurfaceKind kind, const AnalyticSurface& surface, const Triangle& t);

}  // namespace snug::geometry
