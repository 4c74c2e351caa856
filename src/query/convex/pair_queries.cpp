#include "query/convex/gap.hpp"
#include "query/convex/pair_frame.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

// Primitives against primitives.

namespace snug {

namespace {

using namespace detail;

struct Placed {
  const Primitive& primitive;
  const Pose& pose;
};

/// A total order of placed primitives but for equal ones, so that exchanging two can not show in the last bit. Half-spaces
/// come first.
bool comes_before(const Placed& a, const Placed& b) noexcept {
  const auto key = [](const Placed& p) {
    return std::tuple(p.primitive.bounded(), p.primitive.kind(), p.primitive.radius(), p.primitive.half(),
                      p.primitive.normal(), p.primitive.offset(), p.pose.translation(), p.pose.matrix());
  };
  const auto key_a = key(a), key_b = key(b);
  if (key_a != key_b) return key_a < key_b;
  return std::ranges::lexicographical_compare(a.primitive.points(), b.primitive.points());
}

/// The gap of two primitives in the frame of the first one's centre, and how to get back to the world.
struct PairGap {
  Gap gap;
  Point3 origin;
  double scale;

  [[nodiscard]] Point3 in_world(const Point3& p) const noexcept { return origin + (1 / scale) * p; }
  [[nodiscard]] double length(double x) const noexcept { return x / scale; }
};

Gap plane_and_solid(const Plane& plane, const Convex& solid) noexcept {
  Gap gap;
  gap.on_b = solid.support(-plane.normal) - solid.radius() * plane.normal;
  const double height = plane.height(gap.on_b);
  gap.upper = std::max(height, 0.0);
  gap.lower = std::max(height - k_gap_rounding, 0.0);
  gap.on_a = height > 0 ? gap.on_b - height * plane.normal : gap.on_b;
  gap.normal = plane.normal;
  return gap;
}

Gap two_planes(const Plane& a, const Plane& b) noexcept {
  constexpr double parallel = 0x1p-40;
  Gap gap;
  const Vec3 across = cross(a.normal, b.normal);
  const bool opposite = dot(a.normal, b.normal) < 0 && max_abs(across) <= parallel;
  const double height = -(a.offset + b.offset);
  gap.on_a = gap.on_b = a.offset * a.normal;
  if (opposite && height > 0) {
    gap.upper = height, gap.lower = std::max(height - k_gap_rounding, 0.0);
    gap.on_b = -b.offset * a.normal, gap.normal = a.normal;
    return gap;
  }
  gap.upper = 0;
  if (opposite) return gap;
  // Along the first plane until the second one is reached.
  const double inside = b.offset - dot(b.normal, gap.on_a);
  const Vec3 slope = b.normal - dot(a.normal, b.normal) * a.normal;
  if (inside < 0) gap.on_a = gap.on_a + (inside / dot(slope, b.normal)) * slope;
  gap.on_b = gap.on_a;
  return gap;
}

/// `clearance` of the aim is in the world's unit, all else of it in the scaled one.
template <class Aim>
PairGap gap_of(const Placed& a, const Placed& b, Aim&& aim_of) noexcept {
  const Ball ball_a = ball_of(a.primitive, a.pose), ball_b = ball_of(b.primitive, b.pose);
  const PairScale pair(ball_a, ball_b);
  PairGap out{{}, ball_a.centre, pair.scale};
  if (!a.primitive.bounded()) {
    const Plane plane(a.primitive, a.pose, out.origin, out.scale);
    out.gap = b.primitive.bounded() ? plane_and_solid(plane, in_world_axes(b.primitive, b.pose, out.origin, out.scale))
                                    : two_planes(plane, Plane(b.primitive, b.pose, out.origin, out.scale));
    return out;
  }
  out.gap = gap_between(in_world_axes(a.primitive, a.pose, out.origin, out.scale),
                        in_world_axes(b.primitive, b.pose, out.origin, out.scale), aim_of(out.scale));
  return out;
}

bool near(Placed a, Placed b, double clearance) noexcept {
  if (!a.pose.is_valid() || !b.pose.is_valid() || std::isnan(clearance)) return true;
  if (clearance < 0 || apart(posed_bounds(a.primitive, a.pose), posed_bounds(b.primitive, b.pose), clearance))
    return false;
  if (comes_before(b, a)) return near(b, a, clearance);
  const PairGap pair =
      gap_of(a, b, [&](double scale) { return GapAim{.touching = scale * clearance, .clear = scale * clearance}; });
  return !(pair.gap.lower > pair.scale * clearance);
}

PrimitiveDistance distance_of(const Placed& a, const Placed& b) noexcept {
  const PairGap pair = gap_of(a, b, [](double) { return GapAim{}; });
  PrimitiveDistance out;
  out.lower = pair.length(pair.gap.lower);
  out.value = pair.gap.lower > 0 ? pair.length(pair.gap.upper) : 0;
  out.on_a = pair.in_world(pair.gap.on_a), out.on_b = pair.in_world(pair.gap.on_b);
  return out;
}

}  // namespace

double resolution(const Primitive& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b) noexcept {
  if (!pose_a.is_valid() || !pose_b.is_valid()) return std::numeric_limits<double>::infinity();
  return k_resolution * PairScale(ball_of(a, pose_a), ball_of(b, pose_b)).size +
         (detail::posing_error(a, pose_a) + detail::posing_error(b, pose_b));
}

bool intersects(const Primitive& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b) noexcept {
  return near({a, pose_a}, {b, pose_b}, 0);
}

bool within(const Primitive& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b, double clearance) noexcept {
  return near({a, pose_a}, {b, pose_b}, clearance);
}

PrimitiveDistance distance(const Primitive& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b) noexcept {
  if (!pose_a.is_valid() || !pose_b.is_valid()) return PrimitiveDistance::refusal();
  if (!comes_before({b, pose_b}, {a, pose_a})) return distance_of({a, pose_a}, {b, pose_b});
  PrimitiveDistance out = distance_of({b, pose_b}, {a, pose_a});
  std::swap(out.on_a, out.on_b);
  return out;
}

}  // namespace snug
