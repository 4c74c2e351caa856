#include "query/pairs/dop/frame.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>

namespace snug::query {

namespace {

using Matrix = std::array<double, 9>;

Vec3 times(const Matrix& m, const Vec3& v) noexcept {
  return {dot({m[0], m[1], m[2]}, v), dot({m[3], m[4], m[5]}, v), dot({m[6], m[7], m[8]}, v)};
}

Matrix transposed(const Matrix& m) noexcept { return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}; }

Matrix times(const Matrix& a, const Matrix& b) noexcept {
  Matrix product;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      product[3 * i + j] = (a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j]) + a[3 * i + 2] * b[6 + j];
  return product;
}

}  // namespace

DopFrame::DopFrame(const DopTree& a, const Aabb& bounds_a, const Pose& pose_a, const DopTree& b, const Aabb& bounds_b,
                   const Pose& pose_b) noexcept {
  const int exponent = std::max(a.exponent, b.exponent);
  const double unit = std::ldexp(1.0, -exponent);
  scale_a = std::ldexp(1.0, a.exponent - exponent);
  scale_b = std::ldexp(1.0, b.exponent - exponent);
  const Matrix into_a = transposed(pose_a.matrix());
  rotation = times(into_a, pose_b.matrix());
  // Scaled before they are multiplied, so that nothing overflows.
  const Vec3 from = times(pose_a.matrix(), unit * a.centre), to = times(pose_b.matrix(), unit * b.centre);
  translation = times(into_a, (unit * pose_b.translation() - unit * pose_a.translation()) + (to - from));
  error = 20 * (unit * posing_error(bounds_a, pose_a) + unit * posing_error(bounds_b, pose_b)) + 0x1p-44;
}

}  // namespace snug::query
