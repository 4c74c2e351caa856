#pragma once

#include "penetration/face_sag.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>
#include <snug/shape.hpp>

#include <span>
#include <vector>

namespace snug::penetration {

/// A body whose closed shells have drawn in.
struct Shrunk {
  std::vector<Point3> vertices;
  /// Per triangle: it is drawn in by a quarter of `by` at least, but for rounding. Where surfaces are too crooked (or open) it is not
  /// regular. In a part that is thinner than that, it may come out on the other side.
  std::vector<bool> regular;
};

/// Moves every corner inwards, by no more than `by`. Therefore any ball of radius `by` inside the body has its centre inside the
/// shrunk one: while corners move there, the surface never passes through a point that is farther from it than that.
/// Two bodies whose shrunk ones do not meet have no such ball in common.
/// With sags, corners move by these as well, those of flat faces within their planes: what then holds of balls does so wherever the
/// faces are within their sags, see PosedSolid::face_distance(). Throws LoopCancelled once `cancel` is.
[[nodiscard]] Shrunk shrunk(const Shape& shape, double by, const FaceSag& sag = {},
                            const CancelToken* cancel = nullptr);
/// The same of the vertices of `shape` where they are: posed. With `only`, one flag per triangle, these alone draw in, each as
/// far as its corners let it, and the others follow at the corners that they share.
[[nodiscard]] Shrunk shrunk(const Shape& shape, std::span<const Point3> vertices, double by, const FaceSag& sag = {},
                            const std::vector<bool>* only = nullptr, const CancelToken* cancel = nullptr);

}  // namespace snug::penetration
