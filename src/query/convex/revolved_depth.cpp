#include "query/convex/revolved_depth.hpp"

#include <array>
#include <cmath>

namespace snug::query {

namespace {

/// Axes within this are parallel. By so much, times sizes below 2, may the bodies be other than assumed.
constexpr double k_turned = 0x1p-48;

bool is_point(const Revolved& body) noexcept {
  return body.height[0] == body.height[1] && body.radius[0] == 0 && body.radius[1] == 0;
}

/// Where a body's outline faces beside its ends: across the axis and along it, of unit length. A disc has but ends.
std::optional<std::array<double, 2>> side_of(const Revolved& body) noexcept {
  const double across = body.height[1] - body.height[0], along = body.radius[0] - body.radius[1];
  const double length = std::sqrt(across * across + along * along);
  if (!(length > 0)) return std::nullopt;
  return std::array{across / length, along / length};
}

}  // namespace

std::optional<DepthBounds> revolved_depth(const Convex& a, const Convex& b) noexcept {
  const auto of_a = a.revolved(), of_b = b.revolved();
  if (!of_a || !of_b) return std::nullopt;
  // One that is a point has any axis.
  const bool point_a = is_point(*of_a), point_b = is_point(*of_b);
  if (point_a && point_b) return std::nullopt;
  const Vec3 axis = point_b ? of_a->axis : of_b->axis;
  if (!point_a && !point_b && max_abs(cross(of_a->axis, axis)) > k_turned) return std::nullopt;
  const auto side_a = side_of(*of_a), side_b = side_of(*of_b);
  // The difference is such a body, too, and nearest to the origin on the side that the origin lies at.
  const Vec3 between = b.centre() - a.centre(), off_axis = between - dot(between, axis) * axis;
  const double off = length_of(off_axis);
  // So little off the axis that rounding may have done it, which changes the depth by no more.
  const Vec3 across = off > k_turned ? (-1 / off) * off_axis : any_across(axis);
  DepthBounds out;
  const auto try_way = [&](const Vec3& direction) {
    const double way = dot(direction, b.support(direction) - a.support(-direction));
    if (way < out.most) out.most = way, out.normal = direction;
  };
  try_way(axis);
  try_way(-axis);
  if (side_b) try_way((*side_b)[0] * across + (*side_b)[1] * axis);
  // Of a it is the opposite side that faces b.
  if (side_a) try_way((*side_a)[0] * across - (*side_a)[1] * of_a->axis);
  out.least = std::max(out.most - 8 * k_turned, 0.0);
  find_touch(a, b, out);
  return out;
}

}  // namespace snug::query
