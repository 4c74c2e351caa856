#include "scenes/brep/outline.hpp"

#include <snug/motion.hpp>
#include <snug/pose.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace snug::scenes::brep {

namespace {

constexpr double k_turn = 2 * 3.14159265358979323846;

Point2 operator+(Point2 a, Point2 b) { return {a.x + b.x, a.y + b.y}; }
Point2 operator-(Point2 a, Point2 b) { return {a.x - b.x, a.y - b.y}; }
Point2 operator*(double s, Point2 a) { return {s * a.x, s * a.y}; }
double dot(Point2 a, Point2 b) { return a.x * b.x + a.y * b.y; }
double cross(Point2 a, Point2 b) { return a.x * b.y - a.y * b.x; }
Point2 unit(Point2 a) { return (1 / std::sqrt(dot(a, a))) * a; }
bool same(Point2 a, Point2 b) { return a.x == b.x && a.y == b.y; }

/// Collects arcs and corners; lines join what does not meet.
class Pen {
 public:
  void corner(Point2 p) {
    line_to(p);
    if (outline_.points.empty()) outline_.points.push_back(p);
  }
  void arc(const Side& side, std::span<const Point2> points) {
    corner(points.front());
    outline_.sides.push_back(side);
    for (const Point2& p : points.subspan(1)) edge_to(p);
  }
  Outline close() {
    if (same(outline_.points.front(), outline_.points.back()))
      outline_.points.pop_back();
    else {
      outline_.sides.emplace_back();
      outline_.side_of_edge.push_back(last_side());
    }
    return std::move(outline_);
  }

 private:
  void line_to(Point2 p) {
    if (outline_.points.empty() || same(outline_.points.back(), p)) return;
    outline_.sides.emplace_back();
    edge_to(p);
  }
  void edge_to(Point2 p) {
    outline_.points.push_back(p);
    outline_.side_of_edge.push_back(last_side());
  }
  [[nodiscard]] std::uint32_t last_side() const { return static_cast<std::uint32_t>(outline_.sides.size() - 1); }
  Outline outline_;
};

std::vector<Point2> arc_points(Point2 centre, double radius, double from_turns, double turns, std::uint32_t segments) {
  std::vector<Point2> points;
  for (std::uint32_t k = 0; k <= segments; ++k) {
    const auto [c, s] = at_turns(from_turns + turns * k / segments);
    points.push_back({centre.x + radius * c, centre.y + radius * s});
  }
  return points;
}

}  // namespace

CosSin at_turns(double turns) {
  const double quarters = 4 * (turns - std::floor(turns));
  const double quadrant = std::floor(quarters);
  const double rest = quarters - quadrant;
  CosSin first;
  if (rest > 0) {
    // The same two numbers on both sides of 45 degrees.
    const Pose turn = rotation({0, 0, 1}, k_turn / 4 * std::min(rest, 1 - rest));
    first = {turn.matrix()[0], turn.matrix()[3]};
    if (rest == 0.5) first.cos = first.sin = std::sqrt(0.5);
    if (rest > 0.5) std::swap(first.cos, first.sin);
  }
  switch (static_cast<int>(quadrant) % 4) {
    case 0:
      return first;
    case 1:
      return {-first.sin, first.cos};
    case 2:
      return {-first.cos, -first.sin};
    default:
      return {first.sin, -first.cos};
  }
}

Point2 on_unit_arc(Point2 from, Point2 to, double t) {
  const Point2 half = unit(from + to);
  const Pose whole = Pose::make({dot(from, half), 0, 0, cross(from, half)}, {}).value();
  const Point3 p = Motion::make({{0, {}}, {1, whole}}).value().at(t).apply({from.x, from.y, 0});
  return {p.x, p.y};
}

Outline circle(Point2 centre, double radius, std::uint32_t segments) {
  Outline outline;
  outline.points = arc_points(centre, radius, 0, 1, segments);
  outline.points.pop_back();
  outline.sides = {{true, centre, radius, true}};
  outline.side_of_edge.assign(segments, 0);
  return outline;
}

Outline rectangle(Point2 lo, Point2 hi) {
  Pen pen;
  pen.corner(lo);
  pen.corner({hi.x, lo.y});
  pen.corner(hi);
  pen.corner({lo.x, hi.y});
  return pen.close();
}

Outline rounded_rectangle(Point2 lo, Point2 hi, double radius, std::uint32_t corner_segments) {
  Pen pen;
  const double x0 = lo.x + radius, x1 = hi.x - radius, y0 = lo.y + radius, y1 = hi.y - radius;
  const Point2 centres[] = {{x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}};
  pen.corner({x0, lo.y});
  for (int i = 0; i < 4; ++i) {
    auto points = arc_points(centres[i], radius, 0.25 * (i + 3), 0.25, corner_segments);
    if (i == 3) points.back() = {x0, lo.y};
    pen.arc({true, centres[i], radius, true}, points);
  }
  return pen.close();
}

Outline slot(Point2 centre, double length, double radius, std::uint32_t segments, bool along_y) {
  Pen pen;
  const Point2 half = along_y ? Point2{0, length / 2} : Point2{length / 2, 0};
  const double start = along_y ? 0 : 0.75;
  pen.arc({true, centre + half, radius, true}, arc_points(centre + half, radius, start, 0.5, segments));
  pen.arc({true, centre - half, radius, true}, arc_points(centre - half, radius, start + 0.5, 0.5, segments));
  return pen.close();
}

Outline bow(Point2 from, Point2 to, double rise, std::uint32_t segments) {
  Pen pen;
  const Point2 along = unit(to - from), left{-along.y, along.x};
  const double half = std::sqrt(dot(to - from, to - from)) / 2, radius = (half * half + rise * rise) / (2 * rise);
  const Point2 centre = 0.5 * (from + to) + (rise - radius) * left;
  std::vector<Point2> points{to};
  for (std::uint32_t k = 1; k < segments; ++k)
    points.push_back(centre + radius * on_unit_arc((1 / radius) * (to - centre), (1 / radius) * (from - centre),
                                                   static_cast<double>(k) / segments));
  points.push_back(from);
  pen.corner(from);
  pen.corner(to);
  pen.arc({true, centre, radius, true}, points);
  return pen.close();
}

Outline hexagon(Point2 centre, double across_flats) {
  Pen pen;
  const double radius = across_flats / 2 / at_turns(1.0 / 12).cos;
  for (int i = 0; i < 6; ++i) {
    const auto [c, s] = at_turns(i / 6.0);
    pen.corner({centre.x + radius * c, centre.y + radius * s});
  }
  return pen.close();
}

Outline polygon(std::span<const Corner> corners) {
  Pen pen;
  const std::size_t count = corners.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Corner& corner = corners[i];
    if (!(corner.radius > 0)) {
      pen.corner(corner.at);
      continue;
    }
    const Point2 back = unit(corners[(i + count - 1) % count].at - corner.at);
    const Point2 ahead = unit(corners[(i + 1) % count].at - corner.at);
    const Point2 middle = unit(back + ahead);
    const bool left_turn = cross(ahead, back) > 0;
    const double sine_half = std::fabs(cross(ahead, middle));
    const Point2 centre = corner.at + (corner.radius / sine_half) * middle;
    const double along = corner.radius / sine_half * dot(ahead, middle);
    const Point2 from = unit(corner.at + along * back - centre), to = unit(corner.at + along * ahead - centre);
    std::vector<Point2> points;
    for (std::uint32_t k = 0; k <= corner.segments; ++k)
      points.push_back(centre + corner.radius * on_unit_arc(from, to, static_cast<double>(k) / corner.segments));
    pen.arc({true, centre, corner.radius, left_turn}, points);
  }
  return pen.close();
}

Outline moved(Outline outline, Point2 by) {
  for (Point2& p : outline.points) p = p + by;
  for (Side& side : outline.sides) side.centre = side.centre + by;
  return outline;
}

Outline mirrored(const Outline& outline) {
  Outline turned;
  const std::size_t count = outline.points.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Point2 p = outline.points[count - 1 - i];
    turned.points.push_back({p.x, -p.y});
    turned.side_of_edge.push_back(outline.side_of_edge[(2 * count - 2 - i) % count]);
  }
  turned.sides = outline.sides;
  for (Side& side : turned.sides) side.centre.y = -side.centre.y;
  return turned;
}

}  // namespace snug::scenes::brep
