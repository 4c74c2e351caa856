#include "query/ray/line_walk.hpp"

#include "geometry/power_of_two.hpp"
#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "query/shape_data.hpp"

#include <algorithm>
#include <cmath>

namespace snug::detail {

namespace {

double power_of_two(int exponent) noexcept {
  if (exponent < -1022 || exponent > 1023) return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// Exact, for powers of two whose inverse is one that doubles have.
double inverse_of_power(double power) noexcept {
  return std::bit_cast<double>((std::uint64_t{2046} << 52) - std::bit_cast<std::uint64_t>(power));
}

/// Of floats no larger than 4 and of what is made of them: boxes, line, planes and products (docs/exactness.md).
constexpr double k_float_margin = 0x1p-18;
/// No box of a tree is further from its middle; the tree ends at 1 along each axis.
constexpr double k_radius = 1.7330;
/// Beyond this the line has left the tree both ways.
constexpr double k_furthest = 8;

/// No less than the length.
double size_of(const Vec3& v) noexcept { return (std::abs(v.x) + std::abs(v.y)) + std::abs(v.z); }

}  // namespace

LineWalk::LineWalk(const Shape& body, const Pose& pose, const Kernels& kernels)
    : tree_(Access::data(body).obb_tree()),
      bvh_(Access::data(body).ray_bvh()),
      pose_(pose),
      vertices_(body.mesh().vertices().data()),
      kernels_(kernels),
      unit_(power_of_two(-tree_.exponent)),
      margin_(k_float_margin + 0x1p-47 * (k_radius + unit_ * ((size_of(tree_.centre) + size_of(pose.translation())) +
                                                              4 * std::numeric_limits<double>::denorm_min()))) {}

bool LineWalk::prepare(const Ray& ray, RayWalk& walk, Start& start) const noexcept {
  if (tree_.empty()) return false;
  Vec3 origin = unit_ * (turn_back(pose_.matrix(), ray.origin - pose_.translation()) - tree_.centre);
  Vec3 direction = turn_back(pose_.matrix(), ray.direction);
  const double size = max_abs(direction);
  const double by = 0.5 * power_to_one(size);  // to [0.5, 1)
  direction = by * direction;
  start.scale = unit_ * inverse_of_power(by);
  const double far = max_abs(origin);
  start.possible = far < 0x1p500 && size > 0 && size < 0x1p500 && start.scale > 0 && start.scale < 0x1p1000;
  if (!start.possible) return false;
  double margin = margin_;
  if (far > 2) {
    // From where the line comes nearest to the middle, so that floats serve.
    start.shift = dot(origin, direction) / dot(direction, direction);
    origin = origin - start.shift * direction;
    margin += 0x1p-46 * far;
    if (length_of(origin) > k_radius + 2 * margin) return false;
  }
  margin = std::min(margin, 4.0);  // everything
  for (std::size_t i = 0; i < 3; ++i) {
    // A line that does not move along an axis is tilted by less than the margin.
    const double d = std::abs(direction[i]) > 1e-18 ? direction[i] : 1e-18;
    walk.origin[i] = static_cast<float>(origin[i]);
    walk.direction[i] = static_cast<float>(d);
    walk.inverse[i] = 1.0F / walk.direction[i];
  }
  walk.margin = static_cast<float>(margin) * (1 + 0x1p-22F);
  walk.nodes = bvh_.nodes.data();
  walk.blocks = tree_.blocks.data();
  walk.corners = bvh_.corners.data();
  walk.vertices = vertices_;
  return true;
}

void LineWalk::narrow(const Start& start, const LineReach& reach, RayWalk& walk) noexcept {
  // Rounding of t, of its product and of the sum, and to floats.
  const double slack = 0x1p-20 + 0x1p-36 * std::abs(start.shift) + 2 * double{walk.margin};
  const double ahead = std::max(reach.ahead, 0.0) * start.scale, behind = std::max(reach.behind, 0.0) * start.scale;
  const auto within = [](double at) { return static_cast<float>(std::min(std::max(at, -k_furthest), k_furthest)); };
  walk.to = within(start.shift + ((1 + 0x1p-36) * ahead + slack));
  walk.from = within(start.shift - ((1 + 0x1p-36) * behind + slack));
}

}  // namespace snug::detail
