#pragma once

#include "geometry/ccd/polygon.hpp"
#include "support/rooms.hpp"

#include <cstdint>

// The two instants at which all points are doubles, where the predicates for resting points decide.

namespace snug::geometry::moving {

enum class Instant : std::uint8_t { start, end };

/// Exact sign of det(corner 0, corner 1, corner 2).
[[nodiscard]] int volume_sign(const MovingPolygon& polygon, Instant instant) noexcept;

/// Does the origin lie in the polygon? Exact. Precondition: volume_sign() is zero.
[[nodiscard]] bool flat_contact(const MovingPolygon& polygon, Instant instant) noexcept;

}  // namespace snug::geometry::moving
