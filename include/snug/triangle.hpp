#pragma once

#include <snug/export.hpp>
#include <snug/vec.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace snug {

/// How two closed triangles stand to one another.
enum class Relation : std::uint8_t {
  disjoint,  ///< they share no point
  touching,  ///< they share a point, but do not cross: coplanar overlap, common edge or corner, an edge on a face, …
  crossing,  ///< both have area, they are not coplanar, and their relative interiors share a point
  invalid,   ///< nothing is known: a coordinate is NaN or infinite, or a query was given an invalid pose
};
[[nodiscard]] SNUG_API std::string_view to_string(Relation relation) noexcept;

/// Exact for any finite doubles, degenerate triangles included; the same for every order of triangles and corners. Invalid if
/// a coordinate is not finite. Allocation-free.
[[nodiscard]] SNUG_API Relation relation(const Triangle& a, const Triangle& b) noexcept;

/// The points two triangles share: none, a point, a segment, or a convex polygon (coplanar triangles). Which of these,
/// and which corners take part, is decided exactly; corners are returned as they are, crossings of edges are rounded, and
/// in places as far off as a small angle between the planes or edges makes them. The same for every order of triangles
/// and corners. Invalid, and without points, if a coordinate is not finite.
struct TriangleIntersection {
  Relation relation = Relation::disjoint;
  std::uint32_t count = 0;
  std::array<Point3, 6> corner{};  ///< the first `count` hold; polygons in cyclic order

  [[nodiscard]] std::span<const Point3> points() const noexcept { return {corner.data(), count}; }
};
[[nodiscard]] SNUG_API TriangleIntersection intersection(const Triangle& a, const Triangle& b) noexcept;

/// Two points that realise a distance.
struct ClosestPoints {
  double distance = 0;
  Point3 on_a, on_b;
};
/// Smallest distance of two triangles, zero exactly when relation() is not disjoint; the same for every order of triangles
/// and corners. The relative error of `distance` is below 1e-12 down to gaps of 1e-15 of the triangles' extent, for
/// triangles at least 1e-6 as wide as they are long; otherwise the error stays below 1e-15 of that extent. The witness
/// points are rounded to doubles: the length between them may differ from `distance` by that much. A distance beyond the
/// largest double is infinite. If a coordinate is not finite, the distance is minus infinity and the points are NaN.
[[nodiscard]] SNUG_API ClosestPoints closest_points(const Triangle& a, const Triangle& b) noexcept;

/// Half-line origin + t direction, t >= 0. The direction need not have unit length but must not be zero.
struct Ray {
  Point3 origin;
  Vec3 direction;
};
/// Where on the triangle a ray arrives.
enum class RayHitKind : std::uint8_t {
  inner,    ///< inside
  border,   ///< on an edge or corner: the neighbours of that edge report the hit too
  grazing,  ///< the ray runs in the triangle's plane (or the triangle is degenerate) and meets it
  invalid,  ///< nothing is known: a coordinate is NaN or infinite, or the direction is zero; t is minus infinity
};
struct RayHit {
  /// Rounded (relative error below 1e-12 unless the ray runs within 1e-15 of the triangle's plane); whether there is a
  /// hit, and of which kind, is exact.
  double t = 0;
  RayHitKind kind = RayHitKind::inner;
  bool from_inside = false;  ///< the ray leaves through the back of a counter-clockwise triangle; false when grazing
};
/// Exact decision: a ray that meets a closed mesh never slips between two triangles that share an edge.
[[nodiscard]] SNUG_API std::optional<RayHit> ray_hit(const Ray& ray, const Triangle& t) noexcept;

}  // namespace snug
