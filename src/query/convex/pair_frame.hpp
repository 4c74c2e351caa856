#pragma once

#include "shape/convex.hpp"
#include "shape/posed_bounds.hpp"
#include "support/rooms.hpp"

namespace snug::query {

/// Of the promise in snug/primitive.hpp: 2^-40 of the size of a pair. Searches bring their bounds four times as close.
inline constexpr double k_resolution = 0x1p-40;

/// Where a body is and how large, without squares that might overflow.
struct Ball {
  Point3 centre;      ///< in the world
  double radius = 0;  ///< everything of it lies within this; for a half-space or plane its offset
};
[[nodiscard]] inline Ball ball_of(const Aabb& bounds, const Pose& pose) noexcept {
  return {pose.apply(middle_of(bounds)), 1.75 * max_abs(0.5 * bounds.hi - 0.5 * bounds.lo)};
}
[[nodiscard]] inline Ball ball_of(const Posed& body) noexcept {
  if (body.is_mesh() || body.primitive().bounded()) return ball_of(body.shape.bounds(), body.pose);
  return {body.pose.translation(), std::abs(body.primitive().offset())};
}

/// A bounded primitive lies within core_radius() of a box of this size in its own frame.
[[nodiscard]] inline Vec3 core_half(const Primitive& primitive) noexcept {
  if (is_ball(primitive)) return {};
  if (primitive.kind() == Primitive::Kind::capsule) return primitive.half();
  return 0.5 * primitive.bounds().hi - 0.5 * primitive.bounds().lo;
}
[[nodiscard]] inline double core_radius(const Primitive& primitive) noexcept {
  if (is_ball(primitive)) return primitive.bounds().hi.x;
  return primitive.kind() == Primitive::Kind::capsule ? primitive.radius() : 0;
}

/// The size of a pair, and the power of two that brings it to [1, 2).
struct PairScale {
  double size, scale;

  PairScale(const Ball& a, const Ball& b, double way = 0) noexcept
      : size(((a.radius + b.radius) + 1.75 * max_abs(b.centre - a.centre)) + way), scale(scale_to_one(size)) {}
};

/// A primitive in a frame with the axes of the world and the origin at `origin`.
[[nodiscard]] inline Convex in_world_axes(const Posed& solid, const Point3& origin, double scale) noexcept {
  return {solid.primitive(), scale, solid.pose.matrix(), scale * (ball_of(solid).centre - origin)};
}

/// Normals within this are parallel, or opposite.
inline constexpr double k_parallel = 0x1p-40;

/// A half-space in such a frame: points p with normal . p <= offset are in it. Or a plane, which for a body beside it or across it is
/// the half-space that has less of the body: see facing().
struct Plane {
  Vec3 normal;
  double offset;
  bool two_sided;

  Plane(const Posed& half_space, const Point3& origin, double scale) noexcept
      : normal(turn(half_space.pose.matrix(), half_space.primitive().normal())),
        offset(scale * half_space.primitive().offset() - dot(normal, scale * (origin - half_space.pose.translation()))),
        two_sided(half_space.primitive().kind() == Primitive::Kind::plane) {}
  /// Of the point of a body that is nearest to the half-space, or deepest in it.
  [[nodiscard]] double height(const Point3& nearest, double radius = 0) const noexcept {
    return (dot(normal, nearest) - offset) - radius;
  }
  [[nodiscard]] Point3 lowest(const Convex& body) const noexcept {
    return body.support(-normal) - body.radius() * normal;
  }
  [[nodiscard]] Point3 highest(const Convex& body) const noexcept {
    return body.support(normal) + body.radius() * normal;
  }
  /// The half-space that a body meets.
  [[nodiscard]] Plane facing(const Convex& body) const noexcept {
    if (!two_sided || height(lowest(body)) + height(highest(body)) >= 0) return *this;
    Plane other = *this;
    other.normal = -normal, other.offset = -offset;
    return other;
  }
  /// A point that both have, of a body whose lowest point is in it.
  [[nodiscard]] Point3 shared(const Convex& body) const noexcept {
    const Point3 low = lowest(body);
    if (!two_sided) return low;
    const Point3 high = highest(body);
    const double below = -height(low), above = height(high), way = below + above;
    return way > 0 && above > 0 ? low + (below / way) * (high - low) : low;
  }
};

}  // namespace snug::query
