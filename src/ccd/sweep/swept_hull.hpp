#pragma once

#include "support/rooms.hpp"

#include <snug/ccd.hpp>

#include <optional>

namespace snug::ccd::sweep {

/// Are the convex hulls of what both triangles sweep certainly farther apart than `distance`? One inside the other is not. May say
/// no where a longer search would find that they are.
[[nodiscard]] bool hulls_apart(const MovingTriangle& a, const MovingTriangle& b, double distance) noexcept;

/// A time before which the triangles are certainly farther apart than `distance`; nothing if they always are.
[[nodiscard]] std::optional<double> earliest_approach(const MovingTriangle& a, const MovingTriangle& b,
                                                      double distance) noexcept;

}  // namespace snug::ccd::sweep
