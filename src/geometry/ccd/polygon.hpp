#pragma once

#include "support/rooms.hpp"

#include <snug/ccd.hpp>

#include <array>
#include <cstddef>

// A vertex lies on a face, or two edges share a point, exactly when the origin lies in the convex polygon of their
// differences: the triangle f0-v, f1-v, f2-v, or the parallelogram a0-b0, a1-b0, a1-b1, a0-b1. Both kinds of query become one.
//
// At an instant, let o_k be the cross products of consecutive corners, seen along a coordinate axis. If the origin lies in
// the polygon, no two of them have opposite signs, whatever the axis and however degenerate the polygon. Conversely, if
// polygon and origin lie in one plane, and along some axis the o_k are not all zero and none are opposite, the origin lies in
// the polygon: not all zero means that the axis does not flatten that plane, a polygon without area that misses the origin
// has opposite ones, and one with area is the intersection of its half-planes. If all o_k vanish along every axis, corners
// and origin lie on a line, and the origin is in the polygon unless all corners have the same sign along some axis.

namespace snug::geometry::moving {

struct MovingPolygon {
  struct Difference {
    std::size_t to, from;
  };

  std::array<MovingPoint, 4> point;
  std::size_t corners;
  std::array<Difference, 4> corner;  ///< the first `corners` hold, in cyclic order
  /// Edges from corner 0 to 1 and from corner 0 or 1 to 2: det(corner 0, first, second) = 0 when the origin lies in the plane.
  Difference first_edge, second_edge;

  static MovingPolygon vertex_face(const MovingPoint& v, const MovingTriangle& f) noexcept {
    return {{v, f[0], f[1], f[2]}, 3, {{{1, 0}, {2, 0}, {3, 0}, {0, 0}}}, {2, 1}, {3, 1}};
  }
  static MovingPolygon edge_edge(const MovingEdge& a, const MovingEdge& b) noexcept {
    return {{a[0], a[1], b[0], b[1]}, 4, {{{0, 2}, {1, 2}, {1, 3}, {0, 3}}}, {1, 0}, {2, 3}};
  }
};

/// Without branches: it is asked before everything else.
[[nodiscard]] inline bool finite(const MovingPolygon& polygon) noexcept {
  double zero = 0;
  for (const auto& [t0, t1] : polygon.point)
    zero += ((t0.x - t0.x) + (t0.y - t0.y) + (t0.z - t0.z)) + ((t1.x - t1.x) + (t1.y - t1.y) + (t1.z - t1.z));
  return zero == 0;
}

}  // namespace snug::geometry::moving
