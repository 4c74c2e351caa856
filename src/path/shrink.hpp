#pragma once

#include <snug/shape.hpp>

#include <vector>

namespace snug::detail {

/// A body whose closed shells have drawn in.
struct Shrunk {
  std::vector<Point3> vertices;
  /// Per triangle: it lies inside where it was, at least a quarter of `by` deep but for rounding. Where surfaces are too crooked to
  /// draw in (or open) corners stay, and these are not regular.
  std::vector<bool> regular;
};

/// Moves every corner inwards, by no more than `by`. Therefore any ball of radius `by` inside the body has its centre inside the
/// shrunk one: while corners move there, the surface never passes through a point that is farther from it than that.
/// Two bodies whose shrunk ones do not meet have no such ball in common.
[[nodiscard]] Shrunk shrunk(const Shape& shape, double by);

}  // namespace snug::detail
