#include "penetration/way_apart.hpp"

#include "geometry/point_triangle.hpp"
#include "penetration/deep_balls.hpp"
#include "penetration/posed_solid.hpp"
#include "penetration/shortest_translation.hpp"
#include "query/convex/pair_frame.hpp"
#include "query/posed/descend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace snug::penetration {

namespace {

/// Directions out through the nearest triangles of each body, and how a length that works is looked for between what is known to fail
/// and what is known to do.
constexpr std::size_t k_near = 12;
constexpr std::array<double, 5> k_multiples{1.000001, 1.1, 1.5, 2.5, 5};
constexpr int k_halvings = 12;

/// From the triangles of a mesh that are nearest to a place within it, outwards.
void add_ways_out(const Posed& body, const Point3& place, double sign, std::vector<Vec3>& ways) {
  if (!body.is_mesh()) return;
  const PosedSolid solid(body.shape, body.pose);
  const double nearest = solid.surface_distance(place, Filling::holes_filled);
  const Aabb around = grown({place, place}, 1.5 * nearest);
  std::vector<std::pair<double, Vec3>> found;
  descend_one(
      solid.body(), [&](const Aabb& box) { return box.overlaps(around); },
      [&](std::uint32_t t) {
        const Vec3 way = closest_point(place, solid.body().triangle(t)) - place;
        const double length = length_of(way);
        if (length > 0 && length <= 1.5 * nearest) found.emplace_back(length, (sign / length) * way);
      });
  std::ranges::sort(found);
  std::size_t added = 0;
  for (const auto& [length, way] : found) {
    const auto alike = [&](const Vec3& other) { return dot(other, way) > 1 - 1e-6; };
    if (std::ranges::any_of(ways, alike)) continue;
    ways.push_back(way);
    if (++added == k_near) return;
  }
}

std::vector<Vec3> directions(const Posed& a, const Posed& b, const HullWay& hulls, const WayAim& aim) {
  std::vector<Vec3> ways{hulls.normal};
  // a leaves b through a face of b, or b leaves a through one of a.
  add_ways_out(b, aim.place, 1, ways);
  add_ways_out(a, aim.place, -1, ways);
  for (const Pose* pose : {&a.pose, &b.pose})
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& r = pose->matrix();
      const Vec3 axis{r[i], r[3 + i], r[6 + i]};
      ways.push_back(axis);
      ways.push_back(-axis);
    }
  const Vec3 between = (ball_of(a).centre - ball_of(b).centre).normalized();
  if (between != Vec3{}) ways.push_back(between);
  for (int i = 0; i < 27; ++i)
    if (i != 13) ways.push_back(Vec3{i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0}.normalized());
  return ways;
}

}  // namespace

Vec3 way_apart(const Posed& a, const Posed& b, const HullWay& hulls, const WayAim& aim, Scratch& scratch,
               const QueryOptions& options) {
  const ShortestTranslation::Works works = [&](const Vec3& way) {
    const auto moved = Pose::make(a.pose.rotation(), a.pose.translation() + way);
    return moved && !intersects(a.shape, *moved, b.shape, b.pose, scratch, options) &&
           !one_in_other({a.shape, *moved}, b);
  };
  // Beside a plane between the hulls nothing is shared, once rounding is left behind.
  HullWay known = hulls;
  for (double more = aim.resolution; !works(known.length * known.normal) && more < hulls.length + 1e6 * aim.resolution;
       more *= 2)
    known.length = hulls.length + more;
  ShortestTranslation shortest(works, known.normal, known.length,
                               {aim.at_least, std::max(aim.at_least, aim.resolution), k_multiples, k_halvings});
  for (const Vec3& direction : directions(a, b, hulls, aim)) shortest.look_along(direction);
  shortest.turn();
  return shortest.way();
}

}  // namespace snug::penetration
