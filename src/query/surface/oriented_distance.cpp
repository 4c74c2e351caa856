#include "query/surface/oriented_search.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace snug::detail {

namespace {

/// Keeps the closest two triangles so far: of several as close, those with the smallest ids.
struct Nearest {
  PosedTriangle a, b;
  Distance& best;
  const DistanceLimits& limits;
  const std::array<double, 9>& matrix_a;
  double unit;  ///< from the world to the unit of the pair
  bool any;
  std::uint64_t exact_tests = 0;
  float not_looked_at = std::numeric_limits<float>::infinity();  ///< bound of the nearest candidate left out

  static bool take(ClosestSearch& search, std::uint32_t count) {
    auto& self = *static_cast<Nearest*>(search.context);
    for (std::uint32_t i = 0; i < count; ++i) {
      const TrianglePairBound& pair = search.candidates[i];
      if (pair.bound > search.best) break;
      ++self.exact_tests;
      const ClosestPoints points = closest_points(self.a.get(pair.a), self.b.get(pair.b));
      if (points.distance > self.limits.ignore_beyond || !self.better(points.distance, pair)) continue;
      self.best.value = points.distance;
      self.best.on_a = points.on_a, self.best.on_b = points.on_b;
      self.best.triangle_a = pair.a, self.best.triangle_b = pair.b;
      search.best = bound_of(points.distance * self.unit);
      self.point(search, points);
      if (self.any || self.best.value <= self.limits.enough) {
        self.not_looked_at = pair.bound;  // those that follow are no nearer
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool better(double distance, const TrianglePairBound& pair) const noexcept {
    if (!best.found() || distance != best.value) return distance < best.value || !best.found();
    return pair.a != best.triangle_a ? pair.a < best.triangle_a : pair.b < best.triangle_b;
  }

  /// Looks along the line between the closest points from now on.
  void point(ClosestSearch& search, const ClosestPoints& points) const noexcept {
    const Vec3 d = points.on_b - points.on_a;
    const double length = std::sqrt((d.x * d.x + d.y * d.y) + d.z * d.z);
    for (int i = 0; i < 3; ++i) {
      const double turned = (matrix_a[i] * d.x + matrix_a[3 + i] * d.y) + matrix_a[6 + i] * d.z;
      search.along[i] = length > 0 && std::isfinite(length) ? static_cast<float>(turned / length) : 0.0F;
    }
  }

  /// No smaller than the distance, although a float, and generous enough that what is as close to 12 digits is not lost.
  static float bound_of(double distance) noexcept {
    const double wider = distance * (1 + 0x1p-22) + 0x1p-140;
    return wider < 0x1p126 ? static_cast<float>(wider) : std::numeric_limits<float>::infinity();
  }
};

}  // namespace

Distance oriented_distance(const OrientedPair& bodies, const DistanceLimits& limits, bool any, SearchMemory& memory,
                           Stats* stats) {
  Distance best;
  if (bodies.empty()) return best;
  memory.bounds.resize(std::max(memory.bounds.size(), stack_room(bodies.tree_a, bodies.tree_b)));
  ClosestSearch search;
  fill_in(search, bodies);
  search.stack = memory.bounds.data();
  search.stack[search.stack_size++] = {{0, 0}, 0.0F};
  if (limits.node_pairs != 0) search.node_pairs_left = limits.node_pairs;
  const double unit = std::ldexp(1.0, -search.pose.exponent);
  search.best = Nearest::bound_of(limits.ignore_beyond * unit);
  Nearest nearest{
      {bodies.mesh_a, bodies.pose_a}, {bodies.mesh_b, bodies.pose_b}, best, limits, bodies.pose_a.matrix(), unit, any};
  search.context = &nearest;
  search.take = Nearest::take;
  const bool finished = bodies.kernels.closest(search);
  best.complete = finished || best.value == 0;
  best.lower = best.found() ? best.value : limits.ignore_beyond;
  if (!best.complete) {
    // What is left on the stack may be nearer.
    float nearest_left = nearest.not_looked_at;
    for (std::uint32_t i = 0; i < search.stack_size; ++i) nearest_left = std::min(nearest_left, search.stack[i].bound);
    best.lower = std::min(best.lower, double{nearest_left} / unit);
  }
  tell(stats, search.counts, nearest.exact_tests);
  return best;
}

}  // namespace snug::detail
