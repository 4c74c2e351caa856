#include "query/convex/pair_frame.hpp"
#include "query/convex/signed_gap.hpp"
#include "query/convex/solid_queries.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

// Primitives against primitives.

namespace snug::query {

namespace {

/// A total order of posed primitives but for equal ones, so that exchanging two can not show in the last bit. What is without
/// end comes first.
bool comes_before(const Posed& a, const Posed& b) noexcept {
  const auto key = [](const Posed& p) {
    const Primitive& solid = p.primitive();
    return std::tuple(solid.bounded(), solid.kind(), solid.radius(), solid.half(), solid.normal(), solid.offset(),
                      p.pose.translation(), p.pose.matrix());
  };
  const auto key_a = key(a), key_b = key(b);
  if (key_a != key_b) return key_a < key_b;
  return std::ranges::lexicographical_compare(a.primitive().points(), b.primitive().points());
}

/// The gap of two primitives in the frame of the first one's centre, and how to get back to the world.
struct PairGap {
  Gap gap;
  Point3 origin;
  double scale;

  [[nodiscard]] Point3 in_world(const Point3& p) const noexcept { return origin + (1 / scale) * p; }
  [[nodiscard]] double length(double x) const noexcept { return x / scale; }
};

Gap plane_and_solid(const Plane& either, const Convex& solid) noexcept {
  const Plane plane = either.facing(solid);
  Gap gap;
  gap.on_b = plane.lowest(solid);
  const double height = plane.height(gap.on_b);
  gap.upper = std::max(height, 0.0);
  gap.lower = std::max(height - k_gap_rounding, 0.0);
  if (!(height > 0)) gap.on_b = plane.shared(solid);
  gap.on_a = height > 0 ? gap.on_b - height * plane.normal : gap.on_b;
  gap.normal = plane.normal;
  return gap;
}

}  // namespace

Gap two_planes(const Plane& a, const Plane& b) noexcept {
  Gap gap;
  const Vec3 across = cross(a.normal, b.normal);
  const double same = dot(a.normal, b.normal) < 0 ? -1 : 1;
  const bool flat = max_abs(across) <= k_parallel, beside = flat && (same < 0 || b.two_sided);
  gap.on_a = gap.on_b = a.offset * a.normal;
  // What of the second lies lowest above the first; of two planes it does not matter which one is above.
  double height = same * b.offset - a.offset;
  const double side = a.two_sided && height < 0 ? -1 : 1;
  height *= side;
  if (beside && height > 0) {
    gap.upper = height, gap.lower = std::max(height - k_gap_rounding, 0.0);
    gap.on_b = same * b.offset * a.normal, gap.normal = side * a.normal;
    return gap;
  }
  gap.upper = 0;
  // In a half-space whatever lies as deep as both of them.
  if (flat) {
    if (beside || b.offset < a.offset) gap.on_a = same * b.offset * a.normal;
    gap.on_b = gap.on_a;
    return gap;
  }
  // Along the first plane until the second one is reached.
  const double inside = b.offset - dot(b.normal, gap.on_a);
  Vec3 slope = b.normal - dot(a.normal, b.normal) * a.normal;
  // Of normals that are nearly parallel little is left, which rounding turned out of the plane.
  slope = slope - dot(a.normal, slope) * a.normal;
  if (inside < 0 || b.two_sided) gap.on_a = gap.on_a + (inside / dot(slope, slope)) * slope;
  gap.on_b = gap.on_a;
  return gap;
}

namespace {

/// `clearance` of the aim is in the world's unit, all else of it in the scaled one.
template <class Aim>
PairGap gap_of(const Posed& a, const Posed& b, Aim&& aim_of) noexcept {
  const Ball ball_a = ball_of(a), ball_b = ball_of(b);
  const PairScale pair(ball_a, ball_b);
  PairGap out{{}, ball_a.centre, pair.scale};
  if (!a.primitive().bounded()) {
    const Plane plane(a, out.origin, out.scale);
    out.gap = b.primitive().bounded() ? plane_and_solid(plane, in_world_axes(b, out.origin, out.scale))
                                      : two_planes(plane, Plane(b, out.origin, out.scale));
    return out;
  }
  out.gap =
      gap_between(in_world_axes(a, out.origin, out.scale), in_world_axes(b, out.origin, out.scale), aim_of(out.scale));
  return out;
}

Distance ordered_distance(const Posed& a, const Posed& b) noexcept {
  const PairGap pair = gap_of(a, b, [](double) { return GapAim{}; });
  Distance out;
  out.lower = pair.length(pair.gap.lower);
  out.value = pair.gap.lower > 0 ? pair.length(pair.gap.upper) : 0;
  out.on_a = pair.in_world(pair.gap.on_a), out.on_b = pair.in_world(pair.gap.on_b);
  if (out.value > 0) out.normal = normal_of(pair.gap);
  return out;
}

SignedDistance ordered_signed_distance(const Posed& a, const Posed& b, DepthMemory& memory) {
  const Ball ball_a = ball_of(a), ball_b = ball_of(b);
  const PairScale pair(ball_a, ball_b);
  const PairGap world{{}, ball_a.centre, pair.scale};
  SignedGap gap;
  if (a.primitive().bounded()) {
    gap = signed_gap(in_world_axes(a, world.origin, world.scale), in_world_axes(b, world.origin, world.scale), memory);
  } else {
    const Plane plane(a, world.origin, world.scale);
    gap = b.primitive().bounded() ? signed_gap(plane, in_world_axes(b, world.origin, world.scale))
                                  : signed_gap(plane, Plane(b, world.origin, world.scale));
  }
  SignedDistance out;
  out.value = world.length(gap.value), out.lower = world.length(gap.lower), out.upper = world.length(gap.upper);
  out.on_a = world.in_world(gap.on_a), out.on_b = world.in_world(gap.on_b), out.normal = gap.normal;
  return out;
}

}  // namespace

bool primitives_within(const Posed& a, const Posed& b, double clearance) noexcept {
  if (comes_before(b, a)) return primitives_within(b, a, clearance);
  const PairGap pair =
      gap_of(a, b, [&](double scale) { return GapAim{.touching = scale * clearance, .clear = scale * clearance}; });
  return !(pair.gap.lower > pair.scale * clearance);
}

Distance primitive_distance(const Posed& a, const Posed& b) noexcept {
  if (!comes_before(b, a)) return ordered_distance(a, b);
  Distance out = ordered_distance(b, a);
  std::swap(out.on_a, out.on_b);
  out.normal = -out.normal;
  return out;
}

SignedDistance signed_primitive_distance(const Posed& a, const Posed& b, DepthMemory& memory) {
  if (!comes_before(b, a)) return ordered_signed_distance(a, b, memory);
  SignedDistance out = ordered_signed_distance(b, a, memory);
  std::swap(out.on_a, out.on_b);
  out.normal = -out.normal;
  return out;
}

}  // namespace snug::query
