#pragma once

#include <snug/mesh.hpp>

#include <cstdint>
#include <span>
#include <utility>

// Closed, outward-oriented meshes with named surfaces, the same bits on every machine.

namespace snug::scenes {

[[nodiscard]] Mesh box(const Point3& lo, const Point3& hi);

/// A cube of edge 1 whose faces are grids of so many squares, its lowest corner at `lo`. Faces share no vertices.
[[nodiscard]] Mesh grid_cube(std::uint32_t squares, const Point3& lo = {});

/// A section in x and y from z = lo to hi. It is counter-clockwise, and all of it is seen from its first corner.
[[nodiscard]] Mesh prism(std::span<const std::pair<double, double>> section, double lo, double hi);

/// Axis +z, from z = 0 to `height`.
[[nodiscard]] Mesh cylinder(double radius, double height, std::uint32_t segments);

/// A cylinder with a hole along its axis, both ends flat rings.
[[nodiscard]] Mesh pipe(double outer_radius, double inner_radius, double height, std::uint32_t segments);

/// Around the origin, `rings` bands from pole to pole.
[[nodiscard]] Mesh sphere(double radius, std::uint32_t rings, std::uint32_t segments);

/// Around the z axis.
[[nodiscard]] Mesh torus(double radius, double tube, std::uint32_t along, std::uint32_t around);

/// A (2,3) torus knot whose tube swells and shrinks, inside [-1,1]^3: concave, winding close to itself.
/// 2 * along * around triangles.
[[nodiscard]] Mesh bumpy_knot(std::uint32_t along, std::uint32_t around);

}  // namespace snug::scenes
