#include "penetration/escape.hpp"

#include "geometry/vec_ops.hpp"
#include "penetration/containment.hpp"
#include "penetration/shortest_translation.hpp"
#include "query/posed/surface.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace snug::penetration {

namespace {

constexpr std::size_t k_max_normals = 64;
/// How many directions, and which multiples of the lower bound, the search for concave bodies tries.
constexpr std::size_t k_tried_directions = 10;
constexpr std::array<double, 6> k_tried_multiples{1.000001, 1.1, 1.5, 2.5, 5, 12};
constexpr int k_tried_halvings = 10;

struct Extent {
  double lo = std::numeric_limits<double>::infinity(), hi = -std::numeric_limits<double>::infinity();
};

/// Relative to an origin near by, so that rounding is that of the body's size and
/// not of its distance from the world's origin.
Extent extent_along(const PosedSolid& solid, const Vec3& direction, const Point3& origin) {
  if (solid.body().empty()) return {};
  // Boxes are as long along the direction as their sides' shadows on it; rounding is that of the products.
  SNUG_ASSERT(std::abs(dot(direction, direction) - 1) < 1e-9);
  const auto along = [&](double sign) {
    return largest_over_corners(
        solid.body(),
        [&](const Aabb& box) {
          const Vec3 from = middle_of(box) - origin, half = 0.5 * (box.hi - box.lo);
          const double reach =
              (half.x * std::abs(direction.x) + half.y * std::abs(direction.y)) + half.z * std::abs(direction.z);
          return sign * dot(from, direction) + reach + 0x1p-48 * (max_abs(from) + max_abs(half));
        },
        [&](const Point3& p) { return sign * dot(p - origin, direction); });
  };
  return {-along(-1), along(1)};
}

/// hi - lo, rounded up.
double difference_above(double hi, double lo) noexcept {
  const double d = hi - lo;
  // The rounding error of a difference is a double itself (Knuth's two-sum).
  const double lo_part = d - hi, hi_part = d - lo_part;
  const double error = (hi - hi_part) - (lo + lo_part);
  return error > 0 ? std::nextafter(d, std::numeric_limits<double>::infinity()) : d;
}

/// How far b must go along +direction, or along -direction, to have a plane between it and a.
struct Ways {
  double forward = 0, backward = 0;
};
Ways ways_along(const PosedSolid& a, const PosedSolid& b, const Vec3& direction, const Point3& origin, double slack) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (direction[axis] == 1)
      return {difference_above(a.body().bounds().hi[axis], b.body().bounds().lo[axis]),
              difference_above(b.body().bounds().hi[axis], a.body().bounds().lo[axis])};
  const Extent of_a = extent_along(a, direction, origin), of_b = extent_along(b, direction, origin);
  return {(of_a.hi - of_b.lo) + slack, (of_b.hi - of_a.lo) + slack};
}

bool nearly_parallel(const Vec3& u, const Vec3& v) noexcept { return std::abs(dot(u, v)) > 1 - 1e-12; }

/// Do the boxes have no inside in common?
bool boxes_touch_at_most(const Aabb& a, const Aabb& b) noexcept {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (a.hi[axis] <= b.lo[axis] || b.hi[axis] <= a.lo[axis]) return true;
  return false;
}

/// Or just on the surface.
bool any_shell_inside(const PosedSolid& of, const PosedSolid& in) {
  const auto reaches = [&](const Point3& p) { return in.locate(p, Filling::closed_shells) != Side::outside; };
  return corner_of_shell_inside(of, reaches).has_value();
}

}  // namespace

std::vector<Vec3> escape_directions(const PosedSolid& a, const PosedSolid& b, std::span<const Vec3> normals,
                                    std::span<const Vec3> precise) {
  std::vector<Vec3> known{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const PosedSolid* solid : {&a, &b}) {
    const auto& m = solid->pose().matrix();
    for (std::size_t column = 0; column < 3; ++column) known.push_back({m[column], m[3 + column], m[6 + column]});
  }
  const std::size_t axes = known.size();
  known.insert(known.end(), precise.begin(), precise.end());

  std::vector<Vec3> directions;
  const auto add = [&](const Vec3& v) {
    const double length = std::sqrt(dot(v, v));
    if (!(length > 0) || !std::isfinite(length)) return;
    Vec3 d = (1 / length) * v;
    const auto same = [&](const Vec3& other) { return nearly_parallel(other, d); };
    if (const auto exact = std::ranges::find_if(known, same); exact != known.end()) d = *exact;
    if (std::ranges::none_of(directions, same)) directions.push_back(d);
  };
  for (const Vec3& n : normals.first(std::min(normals.size(), k_max_normals))) add(n);
  for (std::size_t i = 0; i < axes; ++i) add(known[i]);
  add(middle_of(b.body().bounds()) - middle_of(a.body().bounds()));
  return directions;
}

Escape escape_by_plane(const PosedSolid& a, const PosedSolid& b, std::span<const Vec3> directions) {
  const Aabb box_a = a.body().bounds(), box_b = b.body().bounds();
  const Point3 origin = middle_of(box_a);
  const double size = max_abs(box_a.hi - box_a.lo) + max_abs(box_b.hi - box_b.lo) + max_abs(middle_of(box_b) - origin);
  Escape best{{}, std::numeric_limits<double>::infinity()};
  for (const Vec3& d : directions) {
    if (a.body().stopped()) break;
    const Ways ways = ways_along(a, b, d, origin, 0x1p-50 * size);
    const bool forward = ways.forward <= ways.backward;
    const double length = std::max(0.0, forward ? ways.forward : ways.backward);
    if (length < best.length) best = {(forward ? length : -length) * d, length};
  }
  return best;
}

Escape verified(const PosedSolid& a, const PosedSolid& b, const Escape& way, double resolution) {
  if (way.length == 0) return way;
  SNUG_ASSERT(way.length > 0 && resolution > 0);
  const Vec3 direction = (1 / way.length) * way.translation;
  double longer = resolution;
  for (Escape tried = way;; longer *= 2) {
    const PosedSolid moved = b.moved(tried.translation);
    if (boxes_touch_at_most(a.body().bounds(), moved.body().bounds()) || wholly_apart(a, moved)) return tried;
    tried = {(way.length + longer) * direction, way.length + longer};
  }
}

bool wholly_apart(const PosedSolid& a, const PosedSolid& b) {
  return !share_point(a.body(), b.body()) && !any_shell_inside(a, b) && !any_shell_inside(b, a);
}

std::optional<Escape> shorter_escape(const PosedSolid& a, const PosedSolid& b, std::span<const Vec3> directions,
                                     double at_least, const Escape& known) {
  const ShortestTranslation::Works works = [&](const Vec3& way) {
    return !a.body().stopped() && wholly_apart(a, b.moved(way));
  };
  ShortestTranslation shortest(works, {}, known.length, {at_least, at_least, k_tried_multiples, k_tried_halvings});
  for (const Vec3& direction : directions.first(std::min(directions.size(), k_tried_directions)))
    for (const double sign : {1.0, -1.0}) shortest.look_along(sign * direction);
  if (!shortest.improved()) return std::nullopt;
  SNUG_ASSERT(shortest.length() >= at_least && shortest.length() < known.length);
  return Escape{shortest.way(), shortest.length()};
}

}  // namespace snug::penetration
