#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

namespace snug::geometry {

/// The triangle's point closest to p, in plain doubles: good for searching. Where a bound has to hold, closest_points()
/// has one.
[[nodiscard]] Point3 closest_point(const Point3& p, const Triangle& t) noexcept;

}  // namespace snug::geometry
