#include "verdict/sheets.hpp"

#include "geometry/vec_ops.hpp"
#include "query/surface/surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::detail {

namespace {

/// How far triangle t reaches through the plane of `other`: the smaller of what stands out on either side.
double reach_through(const Triangle& t, const Triangle& other) noexcept {
  const Vec3 n = cross(other[1] - other[0], other[2] - other[0]);
  const double size = std::sqrt(dot(n, n));
  if (!(size > 0)) return 0;
  double above = 0, below = 0;
  for (const Point3& p : t.corner) {
    const double height = dot(p - other[0], n) / size;
    above = std::max(above, height), below = std::max(below, -height);
  }
  return std::min(above, below);
}

/// Smallest height of the triangle. One below the noise may be a mere line that posing has bent.
double width(const Triangle& t) noexcept {
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  double longest2 = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 edge = t[(i + 1) % 3] - t[i];
    longest2 = std::max(longest2, dot(edge, edge));
  }
  return longest2 > 0 ? std::sqrt(dot(n, n) / longest2) : 0;
}

}  // namespace

std::optional<Point3> crossing_of_sheets(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                                         double noise) {
  double deepest = noise;
  std::optional<Point3> place;
  for (const TrianglePair& pair : pairs) {
    if (pair.relation != Relation::crossing) continue;
    if (a.topology().in_closed_shell(pair.a) && b.topology().in_closed_shell(pair.b)) continue;
    const Triangle ta = a.body().triangle(pair.a), tb = b.body().triangle(pair.b);
    const double depth = std::min({reach_through(ta, tb), reach_through(tb, ta), width(ta), width(tb)});
    if (!(depth > deepest)) continue;
    deepest = depth;
    const TriangleIntersection shared = intersection(ta, tb);
    place = shared.corner[0] + 0.5 * (shared.corner[shared.count > 1 ? 1 : 0] - shared.corner[0]);
  }
  return place;
}

bool parts_within(const PosedSolid& a, const PosedSolid& b, std::span<const Vec3> directions, double reach) {
  return std::ranges::any_of(directions, [&](const Vec3& direction) {
    return std::ranges::any_of(std::array{1.0, -1.0, 0.5, -0.5}, [&](double share) {
      return !tree_first(a.body(), b.body().moved((share * reach) * direction));
    });
  });
}

}  // namespace snug::detail
