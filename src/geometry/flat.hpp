#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

// What is left when planes do not decide: coplanar triangles, and degenerate ones, which are segments or points.
// All decisions are exact.

namespace snug::geometry {

/// lo == hi for a point.
struct Segment {
  Point3 lo, hi;

  [[nodiscard]] bool is_point() const noexcept { return lo == hi; }
};

/// The segment a degenerate triangle covers.
[[nodiscard]] Segment covered_segment(const Triangle& degenerate) noexcept;

/// Do two coplanar triangles of non-zero area share a point? `axis` is one that projection_axis() allows.
[[nodiscard]] bool coplanar_share_point(const Triangle& a, const Triangle& b, int axis) noexcept;

/// Do the two triangles, at least one of them degenerate, share a point? Axes as projection_axis() gives them.
[[nodiscard]] bool degenerate_share_point(const Triangle& a, int axis_a, const Triangle& b, int axis_b) noexcept;

[[nodiscard]] bool segments_share_point(const Segment& s, const Segment& t) noexcept;
/// The triangle must have area; `axis` is its projection axis.
[[nodiscard]] bool segment_meets_triangle(const Segment& s, const Triangle& t, int axis) noexcept;

/// The axis along which the plane of three or four coplanar points projects one-to-one; k_no_axis if they are collinear.
[[nodiscard]] int projection_axis_of_segments(const Segment& s, const Segment& t) noexcept;

/// Corner order that turns counter-clockwise when `axis` is dropped.
[[nodiscard]] Triangle counter_clockwise(const Triangle& t, int axis) noexcept;

}  // namespace snug::geometry
