#pragma once

#include <snug/export.hpp>
#include <snug/vec.hpp>

namespace snug {

/// Where d lies relative to the plane through a, b, c: +1 if a, b, c turn clockwise seen from d's side (d is below a
/// counter-clockwise triangle), -1 if they turn counter-clockwise (d is above), 0 if the four points are coplanar.
/// The exact sign of the determinant of (a-d, b-d, c-d) for any finite doubles: no epsilon, no underflow, no overflow. 0 if
/// a coordinate is not finite.
[[nodiscard]] SNUG_API int orient3d(const Point3& a, const Point3& b, const Point3& c, const Point3& d) noexcept;

struct Point2 {
  double x = 0, y = 0;
};

/// +1 if a, b, c turn counter-clockwise, -1 if clockwise, 0 if collinear; exact for any finite doubles. 0 if a coordinate is not
/// finite.
[[nodiscard]] SNUG_API int orient2d(Point2 a, Point2 b, Point2 c) noexcept;

/// True if the three corners lie on one line or fall together; exact. True if a coordinate is not finite.
[[nodiscard]] SNUG_API bool is_degenerate(const Triangle& t) noexcept;

}  // namespace snug
