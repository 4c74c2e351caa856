#include "geometry/ccd/instant.hpp"

#include "geometry/orient.hpp"

namespace snug::geometry::moving {

namespace {

const Point3& place(const MovingPolygon& polygon, std::size_t i, Instant instant) noexcept {
  return instant == Instant::start ? polygon.point[i].t0 : polygon.point[i].t1;
}

/// Consecutive corners are differences that share a point: the sign of their cross product is that of a turn.
int turn(const MovingPolygon& polygon, std::size_t k, int axis, Instant instant) noexcept {
  const auto [to_a, from_a] = polygon.corner[k];
  const auto [to_b, from_b] = polygon.corner[k + 1 < polygon.corners ? k + 1 : 0];
  if (from_a == from_b)
    return orient2d_dropping(axis, place(polygon, from_a, instant), place(polygon, to_a, instant),
                             place(polygon, to_b, instant));
  return orient2d_dropping(axis, place(polygon, to_a, instant), place(polygon, from_a, instant),
                           place(polygon, from_b, instant));
}

}  // namespace

int volume_sign(const MovingPolygon& polygon, Instant instant) noexcept {
  const auto [to_0, from_0] = polygon.corner[0];
  const std::size_t to_1 = polygon.corner[1].to;
  const auto [to_2, from_2] = polygon.corner[2];
  // The first two corners share the point they start from; and det(a-v, b-v, b-w) = -det(a-v, b-v, w-v).
  const int sign =
      side_of_plane(place(polygon, from_0, instant), place(polygon, to_0, instant), place(polygon, to_1, instant),
                    place(polygon, polygon.corners == 3 ? to_2 : from_2, instant));
  return polygon.corners == 3 ? sign : -sign;
}

bool flat_contact(const MovingPolygon& polygon, Instant instant) noexcept {
  for (int axis = 0; axis < 3; ++axis) {
    bool left = false, right = false;
    for (std::size_t k = 0; k < polygon.corners; ++k) {
      const int s = turn(polygon, k, axis, instant);
      left = left || s > 0;
      right = right || s < 0;
    }
    if (left && right) return false;
    if (left || right) return true;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::size_t above = 0, below = 0;
    for (std::size_t k = 0; k < polygon.corners; ++k) {
      const auto [to, from] = polygon.corner[k];
      const double a = place(polygon, to, instant)[axis], b = place(polygon, from, instant)[axis];
      above += a > b ? 1U : 0U;
      below += a < b ? 1U : 0U;
    }
    if (above == polygon.corners || below == polygon.corners) return false;
  }
  return true;
}

}  // namespace snug::geometry::moving
