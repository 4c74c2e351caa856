#pragma once

#include <snug/pose.hpp>
#include <snug/shape.hpp>
#include <snug/triangle.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace snug {

/// Why a cast was refused.
struct CastError {
  enum class Code : std::uint8_t {
    bad_ray,     ///< not finite, beyond k_max_coordinate, or without direction
    bad_limit,   ///< t_max is negative or not a number
    bad_motion,  ///< not finite or beyond k_max_coordinate
    unbounded,   ///< a half-space or plane does not move: let the other body move the other way
    bad_pose,    ///< a pose is invalid
  } code;
  [[nodiscard]] SNUG_API std::string message() const;
  friend bool operator==(const CastError&, const CastError&) = default;
};

/// Where a ray first meets a body: at origin + t direction.
struct RayCastHit {
  static constexpr std::uint32_t k_none = ~std::uint32_t{0};

  double t = 0;
  Point3 point;
  /// Of unit length: of a mesh that of the triangle, by the order of its corners; of a primitive out of it. Zero if the
  /// triangle has no area, or the ray begins inside a primitive.
  Vec3 normal;
  bool from_inside = false;  ///< the ray comes through the back of a triangle, or begins inside a primitive
  std::uint32_t triangle = k_none, surface = k_none;  ///< of a mesh
};

// Rays against meshes are decided exactly, on the posed vertices of docs/conventions.md: a ray never slips between two
// triangles that share an edge or corner, and t is as accurate as that of ray_hit(). Of triangles hit at the same t the
// one with the smallest id counts. Against primitives nothing is missed: before t the ray is outside, and at t it is no
// further from the solid than 1e-10 of the solid's size and the ray's way to it, so that a ray which passes that close may
// count as a hit. Neither allocates.

/// The first hit at or before t_max, if there is one.
[[nodiscard]] SNUG_API Result<std::optional<RayCastHit>, CastError> cast_ray(
    const Ray& ray, const Shape& body, const Pose& pose, double t_max = std::numeric_limits<double>::infinity());
/// Whether there is any, found sooner.
[[nodiscard]] SNUG_API Result<bool, CastError> ray_meets(const Ray& ray, const Shape& body, const Pose& pose,
                                                         double t_max = std::numeric_limits<double>::infinity());

/// Where a body that moves without turning first meets another, `t` of its way.
struct ShapeCastHit {
  static constexpr std::uint32_t k_none = ~std::uint32_t{0};

  double t = 0;    ///< from 0 to 1; the bodies share no point before it
  double gap = 0;  ///< at t they are no further apart than this, which is no more than 1e-10 of sizes and way
  Point3 on_moving, on_other;  ///< where they meet, at t
  Vec3 normal;                 ///< unit, out of the other body; zero if they share a point from the start
  std::uint32_t triangle_moving = k_none, triangle_other = k_none;  ///< of meshes
};

// Shapes moved along a straight line, from `pose` by `motion`. Found by advancing to when the bodies may touch at the
// earliest, again and again, until they are within the gap above: no contact before t is missed, however thin the bodies
// or long the way, and a body that passes another closer than that may count as hitting it. Meshes are their triangles:
// one that moves about inside another meets it when triangles meet. They do not allocate.

[[nodiscard]] SNUG_API Result<std::optional<ShapeCastHit>, CastError> cast_shape(const Shape& moving, const Pose& pose,
                                                                                 const Vec3& motion, const Shape& other,
                                                                                 const Pose& pose_other);

}  // namespace snug
