#include "query/track/vantage.hpp"

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::detail {

namespace {
/// Scaled first: squares of what is very small vanish, and with them the motion.
double length(const Vec3& v) noexcept {
  const double largest = max_abs(v);
  if (!(largest > 0 && largest < 0x1p1000)) return largest > 0 ? std::numeric_limits<double>::infinity() : 0;
  const double scale = scale_to_one(largest);
  const Vec3 scaled = scale * v;
  return std::sqrt(dot(scaled, scaled)) / scale;
}
}  // namespace

Vantages::Vantages(const Aabb& bounds_a, const Aabb& bounds_b) noexcept
    : bounds_a_(bounds_a),
      bounds_b_(bounds_b),
      middle_a_(0.5 * bounds_a.lo + 0.5 * bounds_a.hi),
      middle_b_(0.5 * bounds_b.lo + 0.5 * bounds_b.hi),
      radius_a_(0.5 * length(bounds_a.hi - bounds_a.lo) * (1 + 0x1p-40)),
      radius_b_(0.5 * length(bounds_b.hi - bounds_b.lo) * (1 + 0x1p-40)) {}

Vantage Vantages::at(const Pose& pose_a, const Pose& pose_b) const noexcept {
  const std::array<double, 9>&ra = pose_a.matrix(), &rb = pose_b.matrix();
  Vantage v;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      v.turn[3 * i + j] = (ra[i] * rb[j] + ra[3 + i] * rb[3 + j]) + ra[6 + i] * rb[6 + j];
  v.b_from_a = turn_back(ra, pose_b.apply(middle_b_) - pose_a.translation());
  v.a_from_b = turn_back(rb, pose_a.apply(middle_a_) - pose_b.translation());
  // Posing rounds each coordinate by less than its error, which bounds coordinates and translation by 2^50 times itself. Two
  // posings, two roundings of the above and of the matrices, on three axes: 8 is generous.
  v.error = 8 * (posing_error(bounds_a_, pose_a) + posing_error(bounds_b_, pose_b));
  return v;
}

double Vantages::motion(const Vantage& from, const Vantage& to) const noexcept {
  double squares = 0;
  for (std::size_t i = 0; i < 9; ++i) squares += (to.turn[i] - from.turn[i]) * (to.turn[i] - from.turn[i]);
  // A turn by an angle moves points by twice the sine of its half; the squares of its entries sum up to twice that squared.
  const double turn = std::sqrt(0.5 * squares) * (1 + 0x1p-40) + 0x1p-48;
  // Whichever body is thought to rest, distances between the two are the same.
  const double of_b = length(to.b_from_a - from.b_from_a) + turn * radius_b_;
  const double of_a = length(to.a_from_b - from.a_from_b) + turn * radius_a_;
  return std::min(of_a, of_b) * (1 + 0x1p-40) + (from.error + to.error);
}

}  // namespace snug::detail
