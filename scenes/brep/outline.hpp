#pragma once

#include <snug/predicates.hpp>

#include <cstdint>
#include <span>
#include <vector>

// Flat closed curves of lines and arcs, sampled: what faces are bounded by and walls stand on. Same bits on every machine.

namespace snug::scenes::brep {

struct CosSin {
  double cos = 1, sin = 0;
};
/// Of an angle given in turns (1 = 360 degrees); exact at quarter turns and symmetric about them.
[[nodiscard]] CosSin at_turns(double turns);

/// The unit vector at the share t of the shorter way round from one unit vector to another, which must not be opposite.
[[nodiscard]] Point2 on_unit_arc(Point2 from, Point2 to, double t);

/// One line or arc of an outline: the wall that stands on it is one face.
struct Side {
  bool round = false;
  Point2 centre;
  double radius = 0;
  bool counter_clockwise = true;  ///< an arc that bulges out of a counter-clockwise outline
};

/// Counter-clockwise. The polygon's edge i runs from points[i] to points[i + 1] and belongs to sides[side_of_edge[i]].
struct Outline {
  std::vector<Point2> points;
  std::vector<Side> sides;
  std::vector<std::uint32_t> side_of_edge;
};

[[nodiscard]] Outline circle(Point2 centre, double radius, std::uint32_t segments);
[[nodiscard]] Outline rectangle(Point2 lo, Point2 hi);
/// All four corners rounded, `corner_segments` chords each.
[[nodiscard]] Outline rounded_rectangle(Point2 lo, Point2 hi, double radius, std::uint32_t corner_segments);
/// Two half circles joined by lines, `length` between their centres, lying along x or, if asked, along y.
[[nodiscard]] Outline slot(Point2 centre, double length, double radius, std::uint32_t segments, bool along_y = false);
/// A line and an arc back that rises by `rise`, less than half the line's length, to the left of it.
[[nodiscard]] Outline bow(Point2 from, Point2 to, double rise, std::uint32_t segments);
[[nodiscard]] Outline hexagon(Point2 centre, double across_flats);

/// A corner of a polygon, rounded by an arc tangent to both its lines if `radius` is positive.
struct Corner {
  Point2 at;
  double radius = 0;
  std::uint32_t segments = 4;
};
/// Corners in counter-clockwise order; roundings must fit.
[[nodiscard]] Outline polygon(std::span<const Corner> corners);

[[nodiscard]] Outline moved(Outline outline, Point2 by);
/// Upside down (y becomes -y), still counter-clockwise: for the faces that look the other way.
[[nodiscard]] Outline mirrored(const Outline& outline);

}  // namespace snug::scenes::brep
