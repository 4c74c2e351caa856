#include "assembly/verdict/edge_crossings.hpp"

#include "geometry/interval.hpp"
#include "geometry/vec_ops.hpp"
#include "penetration/places.hpp"
#include "support/assert.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace snug::assembly {

namespace {

using Segment = std::array<Point3, 2>;

/// A triangle beside a line, or one that the line runs through, which has two sides.
struct Wing {
  bool of_a;
  std::uint32_t triangle;
  Point3 tip;  ///< the corner on that side, the farthest from the line
};

/// A pair of triangles that share a segment along an edge of one of them at least.
struct EdgePair {
  Segment edge_a{}, edge_b{};  ///< the edge along which the segment runs; of a triangle that it runs through, all zero
  std::uint32_t through_a = 0,
                through_b = 0;  ///< one more than the triangle that it runs through; 0: it runs along an edge
  TrianglePair pair;

  [[nodiscard]] auto key() const noexcept { return std::tie(through_a, through_b, edge_a, edge_b); }
};

/// The corner off the plane, if just one is.
std::optional<std::size_t> only_corner_off(const std::array<int, 3>& sides) noexcept {
  if ((sides[0] != 0) + (sides[1] != 0) + (sides[2] != 0) != 1) return std::nullopt;
  return sides[0] != 0 ? 0U : sides[1] != 0 ? 1U : 2U;
}

/// Scaled first: the product of tiny edges must not vanish.
Vec3 unit_normal(const Triangle& t) noexcept {
  const Vec3 u = t[1] - t[0], v = t[2] - t[0];
  const Vec3 n = cross(scale_to_one(max_abs(u)) * u, scale_to_one(max_abs(v)) * v);
  const double length = length_of(n);
  return length > 0 ? (1 / length) * n : Vec3{};
}

Segment edge_beside(const Triangle& t, std::size_t corner) noexcept {
  const Point3 &p = t[(corner + 1) % 3], &q = t[(corner + 2) % 3];
  return p < q ? Segment{p, q} : Segment{q, p};
}

/// Wings in the order in which they stand around a line, seen along it, from the first on. All exact.
class AroundLine {
 public:
  AroundLine(const Segment& line, const Point3& first) noexcept : line_(line), first_(first) {}

  [[nodiscard]] bool comes_before(const Wing& x, const Wing& y) const noexcept {
    const int sector_x = sector(x.tip), sector_y = sector(y.tip);
    if (sector_x != sector_y) return sector_x < sector_y;
    return sector_x % 2 == 1 && side_of_plane(line_[0], line_[1], x.tip, y.tip) > 0;
  }

 private:
  /// 0: as the first one; 1: less than half a turn from it; 2: half a turn; 3: more.
  [[nodiscard]] int sector(const Point3& tip) const noexcept {
    const int side = side_of_plane(line_[0], line_[1], first_, tip);
    if (side != 0) return side > 0 ? 1 : 3;
    const int axis = projection_axis({{line_[0], line_[1], first_}});
    return orient2d_dropping(axis, line_[0], line_[1], first_) == orient2d_dropping(axis, line_[0], line_[1], tip) ? 0
                                                                                                                   : 2;
  }

  const Segment& line_;
  const Point3& first_;
};

/// The sides of a triangle that a line runs through, or the one beside it.
void add_wings(std::vector<Wing>& wings, bool of_a, std::uint32_t id, const Triangle& t, const Triangle& other) {
  const std::array<int, 3> sides = sides_of_plane(other, t);
  const PlaneFilter plane(other[1] - other[0], other[2] - other[0]);
  const Point3* farthest[2] = {nullptr, nullptr};
  double height[2] = {0, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    if (sides[i] == 0) continue;
    const std::size_t which = sides[i] > 0 ? 0 : 1;
    const double h = std::abs(dot(plane.normal, t[i] - other[0]));
    if (farthest[which] == nullptr || h > height[which]) farthest[which] = &t[i], height[which] = h;
  }
  for (const Point3* tip : farthest)
    if (tip != nullptr) wings.push_back({of_a, id, *tip});
}

/// Do the wings of a and of b alternate around the line? None may coincide with one of the other.
bool alternate(const Segment& line, std::vector<Wing>& wings) {
  SNUG_ASSERT(!wings.empty());
  const Point3 first = wings[0].tip;
  const AroundLine around(line, first);
  std::ranges::sort(wings, [&](const Wing& x, const Wing& y) {
    if (around.comes_before(x, y)) return true;
    if (around.comes_before(y, x)) return false;
    return std::tie(x.of_a, x.triangle) < std::tie(y.of_a, y.triangle);
  });
  std::size_t changes = 0;
  for (std::size_t i = 0; i < wings.size(); ++i) {
    const Wing &x = wings[i], &y = wings[(i + 1) % wings.size()];
    if (x.of_a == y.of_a) continue;
    if (i + 1 < wings.size() && !around.comes_before(x, y)) return false;
    ++changes;
  }
  SNUG_ASSERT(changes % 2 == 0);  // around a line one comes back to where one began
  return changes >= 4;
}

/// How far a triangle reaches over the plane of the other: to both sides if it lies on both.
double reach_over(const Triangle& t, const Triangle& other) noexcept {
  const Vec3 n = unit_normal(other);
  double above = 0, below = 0;
  for (const Point3& p : t.corner) {
    const double height = dot(p - other[0], n);
    above = std::max(above, height), below = std::max(below, -height);
  }
  return straddles(sides_of_plane(other, t)) ? std::min(above, below) : std::max(above, below);
}

}  // namespace

std::vector<EdgeCrossing> edge_crossings(const PosedSolid& a, const PosedSolid& b,
                                         std::span<const TrianglePair> pairs) {
  Looks looks(a.body().watched());
  std::vector<EdgePair> along;
  for (const TrianglePair& pair : pairs) {
    looks.look();
    if (pair.relation == Relation::crossing) continue;
    const Triangle ta = a.body().triangle(pair.a), tb = b.body().triangle(pair.b);
    if (is_degenerate(ta) || is_degenerate(tb)) continue;
    const std::array<int, 3> sides_a = sides_of_plane(tb, ta), sides_b = sides_of_plane(ta, tb);
    const auto off_a = only_corner_off(sides_a), off_b = only_corner_off(sides_b);
    if (!(off_a || off_b) || !(off_a || straddles(sides_a)) || !(off_b || straddles(sides_b))) continue;
    EdgePair found{.through_a = off_a ? 0 : pair.a + 1, .through_b = off_b ? 0 : pair.b + 1, .pair = pair};
    if (off_a) found.edge_a = edge_beside(ta, *off_a);
    if (off_b) found.edge_b = edge_beside(tb, *off_b);
    along.push_back(found);
  }
  std::ranges::sort(along, [&](const EdgePair& x, const EdgePair& y) {
    looks.look();
    if (x.key() != y.key()) return x.key() < y.key();
    return std::tie(x.pair.a, x.pair.b) < std::tie(y.pair.a, y.pair.b);
  });

  std::vector<EdgeCrossing> out;
  for (std::size_t begin = 0, end = 0; begin < along.size(); begin = end) {
    while (end < along.size() && along[end].key() == along[begin].key()) ++end;
    const EdgePair& first = along[begin];
    const TriangleIntersection shared = intersection(a.body().triangle(first.pair.a), b.body().triangle(first.pair.b));
    if (shared.count != 2) continue;
    std::vector<Wing> wings;
    for (std::size_t i = begin; i < end; ++i) {
      looks.look();
      const TrianglePair& pair = along[i].pair;
      const Triangle ta = a.body().triangle(pair.a), tb = b.body().triangle(pair.b);
      const auto known = [&](bool of_a, std::uint32_t id) {
        return std::ranges::any_of(wings, [&](const Wing& w) { return w.of_a == of_a && w.triangle == id; });
      };
      if (!known(true, pair.a)) add_wings(wings, true, pair.a, ta, tb);
      if (!known(false, pair.b)) add_wings(wings, false, pair.b, tb, ta);
    }
    const Segment line = first.through_a == 0 ? first.edge_a : first.edge_b;
    if (!alternate(line, wings)) continue;
    EdgeCrossing crossing{shared.corner[0], shared.corner[1], length_of(shared.corner[1] - shared.corner[0]),
                          first.pair};
    for (std::size_t i = begin; i < end; ++i) {
      const Triangle ta = a.body().triangle(along[i].pair.a), tb = b.body().triangle(along[i].pair.b);
      crossing.depth = std::min({crossing.depth, reach_over(ta, tb), reach_over(tb, ta)});
    }
    out.push_back(crossing);
  }
  return out;
}

}  // namespace snug::assembly
