#pragma once

#include <snug/predicates.hpp>
#include <snug/triangle.hpp>
#include <snug/vec.hpp>

#include <optional>

namespace snug::judge {

// Answers by plain rational arithmetic of unlimited length: slow, simple, exact for every finite double. They share no
// code with snug nor with CGAL, so that the fast judge has a judge of its own.

[[nodiscard]] int rational_orient3d(const Point3& a, const Point3& b, const Point3& c, const Point3& d);
[[nodiscard]] int rational_orient2d(Point2 a, Point2 b, Point2 c);
[[nodiscard]] bool rational_is_degenerate(const Triangle& t);

/// The points two triangles share, found by clipping one of them with the half-spaces that bound the other.
struct RationalIntersection {
  Relation relation = Relation::disjoint;
  int corners = 0;  ///< of the convex hull of the shared points: 0 none, 1 a point, 2 a segment, 3 … 6 a polygon
};
[[nodiscard]] RationalIntersection rational_intersection(const Triangle& a, const Triangle& b);

struct RationalHit {
  double t = 0;  ///< of the first shared point, rounded
  RayHitKind kind = RayHitKind::inner;
  bool from_inside = false;
};
[[nodiscard]] std::optional<RationalHit> rational_ray_hit(const Ray& ray, const Triangle& t);

}  // namespace snug::judge
