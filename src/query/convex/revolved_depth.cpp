#include "query/convex/revolved_depth.hpp"

#include "support/assert.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace snug::query {

namespace {

/// Axes within this are parallel. By so much, times sizes below 2, may the bodies be other than assumed.
constexpr double k_turned = 0x1p-48;
/// Cylinders and cones take a handful of corners, ellipsoids some dozens.
constexpr int k_corners = 400;
/// Corners no further than this beyond an edge do not move it.
constexpr double k_on_edge = 0x1p-49;

/// Across the axis and along it.
using Point2D = std::array<double, 2>;

/// The outline of the difference of two bodies of revolution, which is one, too: on the side where it is nearest to the origin, from its
/// lower end to its upper one. It grows from inside as the polytope of other bodies does.
class OutlineSearch {
 public:
  OutlineSearch(const Convex& a, const Convex& b, const Vec3& axis, const Vec3& across, DepthMemory& memory) noexcept
      : a_(a), b_(b), axis_(axis), across_(across), outline_(memory.outline) {
    outline_.clear();
  }

  DepthBounds run(double width) {
    for (const Point2D& direction : {Point2D{0, -1}, Point2D{1, 0}, Point2D{0, 1}})
      outline_.push_back(reach(direction));
    for (int corner = 0; corner < k_corners; ++corner) {
      const Edge edge = nearest_edge();
      out_.least = edge.height;
      // Ends are as far as they are known to be; then only edges can be nearer.
      if (out_.most - edge.height <= width) break;
      const Point2D beyond = reach(edge.normal);
      if (!(along(edge.normal, beyond) - edge.height > k_on_edge)) break;
      outline_.insert(outline_.begin() + static_cast<std::ptrdiff_t>(edge.first) + 1, beyond);
    }
    out_.least = std::max(std::min(out_.least, out_.most) - 8 * k_turned, 0.0);
    SNUG_ASSERT(outline_.size() >= 3);
    find_touch(a_, b_, out_);
    return out_;
  }

 private:
  struct Edge {
    std::size_t first = 0;
    Point2D normal{};
    double height = std::numeric_limits<double>::infinity();  ///< nothing of it is nearer to the origin
  };
  static double along(const Point2D& direction, const Point2D& p) noexcept {
    return direction[0] * p[0] + direction[1] * p[1];
  }

  Point2D reach(const Point2D& to) noexcept {
    const Vec3 direction = to[0] * across_ + to[1] * axis_;
    const Vec3 y = b_.support(direction) - a_.support(-direction);
    if (const double way = dot(direction, y); way < out_.most) out_.most = way, out_.normal = direction;
    return {dot(across_, y), dot(axis_, y)};
  }

  [[nodiscard]] Edge nearest_edge() const noexcept {
    Edge nearest;
    for (std::size_t i = 0; i + 1 < outline_.size(); ++i) {
      const Point2D &from = outline_[i], &to = outline_[i + 1];
      const Point2D normal{to[1] - from[1], from[0] - to[0]};
      const double length = std::sqrt(along(normal, normal));
      if (!(length > 0)) continue;
      const Point2D unit{normal[0] / length, normal[1] / length};
      const double height = std::min(along(unit, from), along(unit, to));
      if (height < nearest.height) nearest = {i, unit, height};
    }
    return nearest;
  }

  const Convex& a_;
  const Convex& b_;
  const Vec3 axis_, across_;
  std::vector<Point2D>& outline_;
  DepthBounds out_;
};

}  // namespace

std::optional<DepthBounds> revolved_depth(const Convex& a, const Convex& b, DepthMemory& memory, double width) {
  const auto of_a = a.revolved(), of_b = b.revolved();
  if (!of_a || !of_b || (of_a->point && of_b->point)) return std::nullopt;
  const Vec3 axis = of_b->point ? of_a->axis : of_b->axis;
  if (!of_a->point && !of_b->point && max_abs(cross(of_a->axis, axis)) > k_turned) return std::nullopt;
  // The difference is nearest to the origin on the side that the origin lies at.
  const Vec3 between = b.centre() - a.centre(), off_axis = between - dot(between, axis) * axis;
  const double off = length_of(off_axis);
  // So little off the axis that rounding may have done it, which changes the depth by no more.
  const Vec3 across = off > k_turned ? (-1 / off) * off_axis : any_across(axis);
  return OutlineSearch(a, b, axis, across, memory).run(width);
}

}  // namespace snug::query
