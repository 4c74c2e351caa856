#pragma once

#include "support/rooms.hpp"

#include <snug/primitive.hpp>

#include <optional>

namespace snug::robot {

// Points and simple solids, in the frame of the solid and in plain doubles: wrong by a few units in the last place of its size
// and of the point's coordinates.

/// How far p is inside; outside: less than zero, by its distance. Minus infinity for hulls, whose faces are not known.
[[nodiscard]] double depth_in(const Primitive& solid, const Point3& p) noexcept;
/// No point is deeper; infinite for half-spaces, zero for hulls.
[[nodiscard]] double largest_depth(const Primitive& solid) noexcept;
/// The point of the solid that is nearest to p; of a hull: the nearest of the points it was made of.
[[nodiscard]] Point3 nearest_in(const Primitive& solid, const Point3& p) noexcept;
/// The points that are no less than `depth` inside; nothing if there are none, or if they are no simple solid.
[[nodiscard]] std::optional<Primitive> eroded(const Primitive& solid, double depth);

}  // namespace snug::robot
