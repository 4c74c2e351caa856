#include "query/pairs/obb/relative_pose.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace snug::query {

namespace {

/// 2^exponent, without a call where it is a normal number.
double power_of_two(int exponent) noexcept {
  if (exponent < -1022 || exponent > 1023) return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

}  // namespace

RelativePose::RelativePose(const ObbTree& a, const Pose& pose_a, const ObbTree& b, const Pose& pose_b) noexcept {
  const std::array<double, 9>&ra = pose_a.matrix(), &rb = pose_b.matrix();
  exponent = std::max(a.exponent, b.exponent);
  const double unit = power_of_two(-exponent);
  scale_a = static_cast<float>(power_of_two(std::max(a.exponent - exponent, -200)));
  scale_b = static_cast<float>(power_of_two(std::max(b.exponent - exponent, -200)));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      rotation[3 * i + j] = (ra[i] * rb[j] + ra[3 + i] * rb[3 + j]) + ra[6 + i] * rb[6 + j];
      rotation_f[3 * i + j] = static_cast<float>(rotation[3 * i + j]);
    }
  // Scaled before they are multiplied, so that nothing overflows.
  double between[3];
  for (int i = 0; i < 3; ++i) {
    const double *row_a = &ra[3 * i], *row_b = &rb[3 * i];
    const double from =
        (row_a[0] * (unit * a.centre.x) + row_a[1] * (unit * a.centre.y)) + row_a[2] * (unit * a.centre.z);
    const double to =
        (row_b[0] * (unit * b.centre.x) + row_b[1] * (unit * b.centre.y)) + row_b[2] * (unit * b.centre.z);
    between[i] = (unit * pose_b.translation()[i] - unit * pose_a.translation()[i]) + (to - from);
  }
  for (int i = 0; i < 3; ++i) translation[i] = (ra[i] * between[0] + ra[3 + i] * between[1]) + ra[6 + i] * between[2];
  error = 12 * unit * (posing_error(a.bounds, pose_a) + posing_error(b.bounds, pose_b)) + 0x1p-46;
  for (std::size_t i = 0; i < 3; ++i) {
    half_a[i] = unit * std::max(a.bounds.hi[i] - a.centre[i], a.centre[i] - a.bounds.lo[i]);
    half_b[i] = unit * std::max(b.bounds.hi[i] - b.centre[i], b.centre[i] - b.bounds.lo[i]);
  }
}

bool RelativePose::bounds_apart() const noexcept {
  // Nothing here exceeds the sum of these by more than a small factor; each projection is a handful of operations.
  double lengths = 0;
  for (int i = 0; i < 3; ++i) lengths += std::abs(translation[i]) + half_a[i] + half_b[i];
  const double margin = 2 * error + 0x1p-47 * lengths;
  for (int i = 0; i < 3; ++i) {
    double reach_a = half_a[i], along_b = 0, reach_b = half_b[i];
    for (int j = 0; j < 3; ++j) {
      reach_a += half_b[j] * std::abs(rotation[3 * i + j]);
      reach_b += half_a[j] * std::abs(rotation[3 * j + i]);
      along_b += translation[j] * rotation[3 * j + i];
    }
    if (std::abs(translation[i]) > reach_a + margin || std::abs(along_b) > reach_b + margin) return true;
  }
  return false;
}

}  // namespace snug::query
