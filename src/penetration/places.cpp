#include "penetration/places.hpp"

#include "geometry/vec_ops.hpp"
#include "query/posed/descend.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace snug::penetration {

namespace {

constexpr std::size_t k_max_pairs = 48, k_max_triangles = 192;
constexpr int k_grid = 4;
/// How far from where triangles meet, in parts of the smaller one's size: overlaps may be as thin as paper.
constexpr std::array<double, 7> k_distances{0.3, 0.1, 0.02, 2e-3, 1e-4, 1e-6, 1e-9};

Vec3 unit(Vec3 v) noexcept {
  const double size = max_abs(v);
  if (!(size > 0)) return {};
  v = (1 / size) * v;
  return (1 / std::sqrt(dot(v, v))) * v;
}

struct PlaceFace {
  Vec3 inward;
  Point3 middle;
  double size = 0;

  PlaceFace(const Triangle& t, int orientation) {
    // Scaled first: the product of tiny edges must not vanish.
    for (const Point3& p : t.corner) size = std::max(size, max_abs(p - t[0]));
    const double scale = scale_to_one(size);
    inward = -orientation * unit(cross(scale * (t[1] - t[0]), scale * (t[2] - t[0])));
    middle = middle_of(t);
  }
};

/// Where two triangles meet, about in the middle.
Point3 meeting_point(const Triangle& a, const Triangle& b) noexcept {
  const TriangleIntersection shared = intersection(a, b);
  // Coordinates hundreds of orders apart lose digits where a body is scaled, so that triangles which met no longer do.
  if (shared.count == 0) {
    const ClosestPoints closest = closest_points(a, b);
    return 0.5 * closest.on_a + 0.5 * closest.on_b;
  }
  Point3 sum = shared.corner[0];
  for (std::uint32_t i = 1; i < shared.count; ++i)
    sum = sum + (1.0 / shared.count) * (shared.corner[i] - shared.corner[0]);
  return sum;
}

std::array<Vec3, 6> directions_at(const PlaceFace& a, const PlaceFace& b, const Point3& q) noexcept {
  const Vec3 to_a = unit(a.middle - q), to_b = unit(b.middle - q);
  return {
      unit(a.inward + b.inward),  // halfway between the planes: the middle of what lies below both
      a.inward,
      b.inward,
      to_a + 0.25 * a.inward,
      to_b + 0.25 * b.inward,
      0.5 * (to_a + to_b) + 0.25 * (a.inward + b.inward),
  };
}

bool around_pair(const PlaceFace& a, const PlaceFace& b, const Point3& q, const PlaceVisitor& visit) {
  const auto directions = directions_at(a, b, q);
  for (const double share : k_distances)
    for (const Vec3& direction : directions)
      if (!visit(q + (share * std::min(a.size, b.size)) * direction)) return false;
  return true;
}

/// Distances fall by this factor in the thorough search, so that no overlap falls between two of them.
constexpr double k_fall = 0.2;

/// How far the triangle reaches through the plane of `other`.
double reach_through(const Triangle& t, const Triangle& other) noexcept {
  const double scale = scale_to_one(std::max(max_abs(other[1] - other[0]), max_abs(other[2] - other[0])));
  const Vec3 n = unit(cross(scale * (other[1] - other[0]), scale * (other[2] - other[0])));
  double above = 0, below = 0;
  for (const Point3& p : t.corner) {
    const double height = dot(p - other[0], n);
    above = std::max(above, height), below = std::max(below, -height);
  }
  return std::min(above, below);
}

/// Crossing pairs before touching ones, spread evenly over all there are.
std::vector<TrianglePair> some_of(std::span<const TrianglePair> pairs) {
  std::vector<TrianglePair> chosen;
  for (const Relation how : {Relation::crossing, Relation::touching}) {
    std::vector<TrianglePair> of_kind;
    std::ranges::copy_if(pairs, std::back_inserter(of_kind),
                         [how](const TrianglePair& p) { return p.relation == how; });
    const std::size_t step = std::max<std::size_t>(1, of_kind.size() / k_max_pairs);
    for (std::size_t i = 0; i < of_kind.size() && chosen.size() < 2 * k_max_pairs; i += step)
      chosen.push_back(of_kind[i]);
  }
  return chosen;
}

/// Below the middles of at most `count` triangles that reach into the box.
bool below_triangles(const PosedSolid& solid, const Aabb& box, std::size_t count, const PlaceVisitor& visit) {
  SNUG_ASSERT(count > 0);
  std::vector<std::uint32_t> reaching;
  descend_one(
      solid.body(), [&](const Aabb& node) { return node.overlaps(box); },
      [&](std::uint32_t t) {
        if (solid.body().box_of_triangle(t).overlaps(box)) reaching.push_back(t);
      });
  std::ranges::sort(reaching);
  const std::size_t step = std::max<std::size_t>(1, reaching.size() / count);
  for (std::size_t i = 0; i < reaching.size(); i += step) {
    const PlaceFace face(solid.body().triangle(reaching[i]), solid.orientation());
    for (const double share : {0.1, 1e-3, 1e-6})
      if (!visit(face.middle + (share * face.size) * face.inward)) return false;
  }
  return true;
}

bool over_grid(const Aabb& box, const PlaceVisitor& visit) {
  const Vec3 size = box.hi - box.lo;
  for (int i = 0; i < k_grid; ++i)
    for (int j = 0; j < k_grid; ++j)
      for (int k = 0; k < k_grid; ++k) {
        const Vec3 at{(i + 0.5) / k_grid * size.x, (j + 0.5) / k_grid * size.y, (k + 0.5) / k_grid * size.z};
        if (!visit(box.lo + at)) return false;
      }
  return visit(box.lo + 0.5 * size);
}

}  // namespace

double mutual_reach(const Triangle& a, const Triangle& b) noexcept {
  const TriangleIntersection shared = intersection(a, b);
  double length = 0;
  for (const Point3& p : shared.points()) length = std::max(length, max_abs(p - shared.corner[0]));
  return std::min({length, reach_through(a, b), reach_through(b, a)});
}

double width_of(const Triangle& t) noexcept {
  double longest = 0;
  for (std::size_t i = 0; i < 3; ++i) longest = std::max(longest, max_abs(t[(i + 1) % 3] - t[i]));
  const double scale = scale_to_one(longest);
  const Vec3 n = cross(scale * (t[1] - t[0]), scale * (t[2] - t[0]));
  double longest2 = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 edge = scale * (t[(i + 1) % 3] - t[i]);
    longest2 = std::max(longest2, dot(edge, edge));
  }
  return longest2 > 0 ? std::sqrt(dot(n, n) / longest2) / scale : 0;
}

double crossing_noise(const Triangle& a, const Triangle& b, double resolution) noexcept {
  double extent = 0;
  for (const Point3& p : a.corner)
    for (const Point3& q : b.corner) extent = std::max(extent, max_abs(p - q));
  const double width = std::min(width_of(a), width_of(b));
  return width > 0 ? 2 * resolution * (1 + 2 * extent / width) : extent;
}

void for_some_places(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                     const PlaceVisitor& visit) {
  const Aabb box = common_box(a.body().bounds(), b.body().bounds());
  if (box.empty() || !over_grid(box, visit)) return;
  for (const TrianglePair& pair : some_of(pairs)) {
    const Triangle ta = a.body().triangle(pair.a), tb = b.body().triangle(pair.b);
    if (!around_pair(PlaceFace(ta, a.orientation()), PlaceFace(tb, b.orientation()), meeting_point(ta, tb), visit))
      return;
  }
  if (below_triangles(a, box, k_max_triangles, visit)) below_triangles(b, box, k_max_triangles, visit);
}

void for_every_place(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs, double finest,
                     const PlaceVisitor& visit) {
  const Aabb box = common_box(a.body().bounds(), b.body().bounds());
  if (box.empty()) return;
  for (const Relation how : {Relation::crossing, Relation::touching})
    for (const TrianglePair& pair : pairs) {
      if (pair.relation != how) continue;
      const Triangle ta = a.body().triangle(pair.a), tb = b.body().triangle(pair.b);
      const PlaceFace face_a(ta, a.orientation()), face_b(tb, b.orientation());
      const Point3 q = meeting_point(ta, tb);
      // What is common to triangles that cross is about as deep as they reach through each other; those that only touch
      // say nothing about the depth.
      double distance = 0.3 * std::min(face_a.size, face_b.size);
      if (how == Relation::crossing) distance = std::min(distance, mutual_reach(ta, tb));
      for (int fall = 0; distance > 0.1 * finest && fall < (how == Relation::crossing ? 24 : 8); ++fall) {
        for (const Vec3& direction : directions_at(face_a, face_b, q))
          if (!visit(q + distance * direction)) return;
        distance *= k_fall;
      }
    }
  const auto all = std::numeric_limits<std::size_t>::max();
  if (below_triangles(a, box, all, visit)) below_triangles(b, box, all, visit);
}

}  // namespace snug::penetration
