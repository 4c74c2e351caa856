#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace snug::io {

/// True if the fan that a polygon was cut into leaves it: one of its triangles faces the other way, which happens to
/// polygons that are not convex. Cheap, and in rounded arithmetic: a corner within rounding of a straight line may count
/// as either. The corners must be there.
[[nodiscard]] bool fan_misfits(std::span<const Point3> vertices, std::span<const Index3> fan) noexcept;

/// "2 polygons are not convex, and their fans of triangles leave them".
[[nodiscard]] std::string misfit_fans_text(std::uint64_t count);

}  // namespace snug::io
