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
  double radius = 0;  ///< everything of it lies within this; for a half-space the offset of its plane
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
  const Primitive::Kind kind = primitive.kind();
  if (kind == Primitive::Kind::sphere || kind == Primitive::Kind::capsule) return primitive.half();
  return 0.5 * primitive.bounds().hi - 0.5 * primitive.bounds().lo;
}
[[nodiscard]] inline double core_radius(const Primitive& primitive) noexcept {
  const Primitive::Kind kind = primitive.kind();
  return kind == Primitive::Kind::sphere || kind == Primitive::Kind::capsule ? primitive.radius() : 0;
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

/// The plane of a half-space in such a frame: points p with normal . p <= offset are in it.
struct Plane {
  Vec3 normal;
  double offset;

  Plane(const Posed& half_space, const Point3& origin, double scale) noexcept
      : normal(turn(half_space.pose.matrix(), half_space.primitive().normal())),
        offset(scale * half_space.primitive().offset() -
               dot(normal, scale * (origin - half_space.pose.translation()))) {}
  /// Of the point of a body that is nearest to the half-space, or deepest in it.
  [[nodiscard]] double height(const Point3& nearest, double radius = 0) const noexcept {
    return (dot(normal, nearest) - offset) - radius;
  }
};

}  // namespace snug::query
