#pragma once

#include <snug/solid.hpp>
#include <snug/triangle.hpp>
#include <snug/vec.hpp>

namespace snug::judge {

// Answers of CGAL, which shares no code with snug. Exact for coordinates of ordinary size: CGAL's filters must not see
// overflow or underflow, so callers stay within 1e-9 … 1e9 (times offsets). rational_judge.hpp covers the extremes.

/// How two closed triangles stand to one another; degenerate ones are taken as the segment or point they are.
[[nodiscard]] Relation cgal_relation(const Triangle& a, const Triangle& b);

/// True if p lies on the closed triangle, which may be degenerate.
[[nodiscard]] bool cgal_on_triangle(const Point3& p, const Triangle& t);

/// |distance - d| / d, where d is the true distance of two disjoint triangles: evaluated in rationals, only the result
/// is rounded.
[[nodiscard]] double cgal_distance_error(const Triangle& a, const Triangle& b, double distance);

/// True distance of two disjoint triangles, and of a point from a triangle, rounded.
[[nodiscard]] double cgal_distance(const Triangle& a, const Triangle& b);
[[nodiscard]] double cgal_distance(const Point3& p, const Triangle& t);

/// Winding number and side by signed crossings with a segment that avoids every edge and corner. `mesh` must be closed.
[[nodiscard]] PointLocation cgal_locate(const Point3& p, const TriangleMeshView& mesh);

}  // namespace snug::judge
