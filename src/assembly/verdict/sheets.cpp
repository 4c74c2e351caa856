#include "assembly/verdict/sheets.hpp"

#include "assembly/verdict/edge_crossings.hpp"
#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"
#include "penetration/escape.hpp"
#include "penetration/places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace snug::assembly {

namespace {

/// From the borders of open shells, where a face may end elsewhere than its triangles.
double rim_distance(const PosedSolid& of, const Point3& p) {
  double best = std::numeric_limits<double>::infinity();
  for (const Topology::Rim& rim : of.topology().rims)
    for (const auto& [from, to] : rim.edges) {
      const Vec3 d = closest_point(p, {{of.body().vertex(from), of.body().vertex(to), of.body().vertex(to)}}) - p;
      best = std::min(best, dot(d, d));
    }
  return std::sqrt(best);
}

}  // namespace

std::optional<Point3> crossing_of_sheets(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                                         double noise, bool firmly) {
  double deepest = noise;
  std::optional<Point3> place;
  for (const TrianglePair& pair : pairs) {
    if (pair.relation != Relation::crossing || a.body().stopped()) continue;
    if (a.topology().in_closed_shell(pair.a) && b.topology().in_closed_shell(pair.b)) continue;
    const Triangle ta = a.body().triangle(pair.a), tb = b.body().triangle(pair.b);
    // A triangle narrower than the noise may be a mere line that posing has bent.
    const double depth = std::min({mutual_reach(ta, tb), width_of(ta), width_of(tb)});
    const double sag = a.sag().of(a.mesh().surface_of(pair.a)) + b.sag().of(b.mesh().surface_of(pair.b));
    if (!(depth > std::max(deepest, crossing_noise(ta, tb, noise) + (firmly ? sag : 0)))) continue;
    const TriangleIntersection shared = intersection(ta, tb);
    const Point3 middle = shared.corner[0] + 0.5 * (shared.corner[shared.count > 1 ? 1 : 0] - shared.corner[0]);
    if (firmly && (rim_distance(a, middle) <= sag || rim_distance(b, middle) <= sag)) continue;
    deepest = depth;
    place = middle;
  }
  // Sheets that cross along their edges have no two triangles that do.
  for (const EdgeCrossing& piece : edge_crossings(a, b, pairs)) {
    if (a.topology().in_closed_shell(piece.pair.a) && b.topology().in_closed_shell(piece.pair.b)) continue;
    const Triangle ta = a.body().triangle(piece.pair.a), tb = b.body().triangle(piece.pair.b);
    const double sag = a.sag().of(a.mesh().surface_of(piece.pair.a)) + b.sag().of(b.mesh().surface_of(piece.pair.b));
    const double depth = std::min({piece.depth, width_of(ta), width_of(tb)});
    if (!(depth > std::max(deepest, crossing_noise(ta, tb, noise) + (firmly ? sag : 0)))) continue;
    const Point3 middle = lerp(piece.from, piece.to, 0.5);
    if (firmly && (rim_distance(a, middle) <= sag || rim_distance(b, middle) <= sag)) continue;
    deepest = depth;
    place = middle;
  }
  return place;
}

SheetInside sheet_inside(const PosedSolid& sheet, const PosedSolid& solid, std::span<const TrianglePair> pairs,
                         std::uint32_t TrianglePair::* side, double noise) {
  SheetInside result;
  if (!solid.has_inside(Filling::closed_shells)) return result;
  const auto look = [&](const Point3& p) {
    if (result.place || solid.locate(p, Filling::closed_shells) != Side::inside) return;
    if (solid.surface_distance(p, Filling::closed_shells) > noise) result.place = p;
  };
  std::vector<std::uint32_t> meeting;
  for (const TrianglePair& pair : pairs)
    if (!sheet.topology().in_closed_shell(pair.*side)) meeting.push_back(pair.*side);
  std::ranges::sort(meeting);
  meeting.erase(std::ranges::unique(meeting).begin(), meeting.end());
  for (const std::uint32_t t : meeting) {
    const Triangle c = sheet.body().triangle(t);
    const Point3 middle = middle_of(c);
    look(middle);
    for (const Point3& p : c.corner) look(p), look(lerp(p, middle, 0.01)), look(lerp(p, middle, 0.5));
    for (const Point3& p : c.corner)
      if (solid.locate(p, Filling::closed_shells) == Side::outside &&
          solid.surface_distance(p, Filling::closed_shells) > noise)
        result.comes_out = true;
  }
  // Cut at the contacts: beside each meeting place, along the sheet.
  for (const TrianglePair& pair : pairs) {
    if (result.place) break;
    if (sheet.topology().in_closed_shell(pair.*side)) continue;
    const Triangle c = sheet.body().triangle(pair.*side);
    const std::uint32_t other = side == &TrianglePair::a ? pair.b : pair.a;
    const TriangleIntersection shared = intersection(c, solid.body().triangle(other));
    const Point3 middle = middle_of(c);
    for (const Point3& q : shared.points())
      for (const double share : {0.3, 0.03, 3e-3, 1e-4, 1e-6})
        for (const Point3& towards : {middle, c[0], c[1], c[2]}) look(lerp(q, towards, share));
  }
  return result;
}

bool parts_within(const PosedSolid& a, const PosedSolid& b, std::span<const Vec3> directions, double reach) {
  return std::ranges::any_of(directions, [&](const Vec3& direction) {
    return std::ranges::any_of(std::array{1.0, -1.0, 0.5, -0.5}, [&](double share) {
      return a.body().stopped() || wholly_apart(a, b.moved((share * reach) * direction));
    });
  });
}

}  // namespace snug::assembly
