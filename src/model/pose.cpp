#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "model/quaternion.hpp"
#include "support/assert.hpp"
#include "support/trig.hpp"

#include <snug/pose.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

// Compiled without contraction into fused operations: the sequence of roundings below is a promise.

namespace snug {

namespace {

using namespace model;

Quaternion normalised(const Quaternion& q) noexcept {
  const double scale = scale_to_one(std::max({std::abs(q.w), std::abs(q.x), std::abs(q.y), std::abs(q.z)}));
  const double w = scale * q.w, x = scale * q.x, y = scale * q.y, z = scale * q.z;
  const double squared = (w * w + x * x) + (y * y + z * z);
  const double length = std::sqrt(squared);
  // A unit quaternion stays as it is, bit for bit, so that poses can be written and read again.
  if (std::abs(length / scale - 1) <= 0x1p-51) return q;
  return {w / length, x / length, y / length, z / length};
}

/// Homogeneous form: dividing by the squared length makes the 24 rotations of the cube come out exactly, with zeros
/// and ones, although their quaternions hold a rounded square root.
std::array<double, 9> matrix_of(const Quaternion& q) noexcept {
  const double ww = q.w * q.w, xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, wz = q.w * q.z, xz = q.x * q.z, wy = q.w * q.y, yz = q.y * q.z, wx = q.w * q.x;
  const double s = (ww + xx) + (yy + zz);
  return {((ww + xx) - (yy + zz)) / s, 2 * (xy - wz) / s,           2 * (xz + wy) / s,
          2 * (xy + wz) / s,           ((ww + yy) - (xx + zz)) / s, 2 * (yz - wx) / s,
          2 * (xz - wy) / s,           2 * (yz + wx) / s,           ((ww + zz) - (xx + yy)) / s};
}

}  // namespace

Result<Pose, PoseError> Pose::make(const Quaternion& rotation, const Vec3& translation) {
  using Code = PoseError::Code;
  const Quaternion& q = rotation;
  if (!translation.is_finite() || !Vec3{q.x, q.y, q.z}.is_finite() || !std::isfinite(q.w))
    return Failure{PoseError{Code::non_finite}};
  if (max_abs(translation) > k_max_coordinate) return Failure{PoseError{Code::too_large}};
  if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0) return Failure{PoseError{Code::zero_rotation}};
  Pose pose;
  pose.rotation_ = normalised(q);
  pose.translation_ = translation;
  pose.matrix_ = matrix_of(pose.rotation_);
  return pose;
}

namespace {

/// By the largest component, which is at least a half: nothing is lost to cancellation. Exact for the 24 rotations of the cube
/// but for the square root, which matrix_of() takes back.
Quaternion quaternion_of(const std::array<double, 9>& r) noexcept {
  const double squares[4] = {((1 + r[0]) + r[4]) + r[8], ((1 + r[0]) - r[4]) - r[8], ((1 - r[0]) + r[4]) - r[8],
                             ((1 - r[0]) - r[4]) + r[8]};
  switch (std::ranges::max_element(squares) - squares) {
    case 0:
      return {squares[0], r[7] - r[5], r[2] - r[6], r[3] - r[1]};
    case 1:
      return {r[7] - r[5], squares[1], r[3] + r[1], r[2] + r[6]};
    case 2:
      return {r[2] - r[6], r[3] + r[1], squares[2], r[7] + r[5]};
    default:
      return {r[3] - r[1], r[2] + r[6], r[7] + r[5], squares[3]};
  }
}

/// The largest of |R R^T - I| and |det R - 1|: a mirror image differs by 2 although its rows are as they should be.
double deviation_of(const std::array<double, 9>& r) noexcept {
  const Vec3 row[3] = {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}};
  double most = std::abs(dot(cross(row[0], row[1]), row[2]) - 1);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) most = std::max(most, std::abs(dot(row[i], row[j]) - (i == j ? 1 : 0)));
  return most;
}

}  // namespace

Point3 Pose::apply(const Point3& v) const noexcept {
  return geometry::is_identity(matrix_, translation_) ? v : geometry::transformed(matrix_, translation_, v);
}

void Pose::apply(std::span<const Point3> in, std::span<Point3> out) const noexcept {
  SNUG_ASSERT(in.size() == out.size());
  if (geometry::is_identity(matrix_, translation_)) {
    std::ranges::copy(in, out.begin());
    return;
  }
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = geometry::transformed(matrix_, translation_, in[i]);
}

Vec3 Pose::turn(const Vec3& v) const noexcept { return geometry::turn(matrix_, v); }

Pose Pose::invalid() noexcept {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Pose pose;
  pose.rotation_ = {nan, nan, nan, nan};
  pose.translation_ = {nan, nan, nan};
  pose.matrix_.fill(nan);
  return pose;
}

Result<Pose, PoseError> Pose::from_matrix(const std::array<double, 9>& rotation, const Vec3& translation,
                                          double tolerance) {
  using Code = PoseError::Code;
  if (!std::ranges::all_of(rotation, [](double x) { return std::isfinite(x); }))
    return Failure{PoseError{Code::non_finite}};
  const double deviation = deviation_of(rotation);
  if (!(deviation <= tolerance)) return Failure{PoseError{Code::not_a_rotation, deviation}};
  return make(quaternion_of(rotation), translation);
}

Result<Pose, PoseError> Pose::from_matrix4(const std::array<double, 16>& m, double tolerance) {
  using Code = PoseError::Code;
  if (!std::ranges::all_of(m, [](double x) { return std::isfinite(x); })) return Failure{PoseError{Code::non_finite}};
  const double off = std::max(max_abs({m[12], m[13], m[14]}), std::abs(m[15] - 1));
  if (!(off <= tolerance)) return Failure{PoseError{Code::bad_last_row, off}};
  return from_matrix(std::array{m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]}, {m[3], m[7], m[11]}, tolerance);
}

// What cannot be placed is invalid rather than somewhere else: a part that silently jumps to the origin may read as clear.

namespace {
Pose valid_or_invalid(Result<Pose, PoseError> made) noexcept { return made ? *made : Pose::invalid(); }
}  // namespace

Pose translation(double x, double y, double z) noexcept { return valid_or_invalid(Pose::make({}, {x, y, z})); }

Pose rotation(const Vec3& axis, double radians) noexcept {
  if (!axis.is_finite() || max_abs(axis) == 0 || !(std::abs(radians) <= k_max_angle)) return Pose::invalid();
  const Vec3 scaled = scale_to_one(max_abs(axis)) * axis;
  const double s = sine(radians / 2) / std::sqrt(dot(scaled, scaled));
  return valid_or_invalid(Pose::make({cosine(radians / 2), s * scaled.x, s * scaled.y, s * scaled.z}, {}));
}

Pose compose(const Pose& outer, const Pose& inner) noexcept {
  return valid_or_invalid(Pose::make(product(outer.rotation(), inner.rotation()), outer.apply(inner.translation())));
}

Pose operator*(const Pose& outer, const Pose& inner) noexcept { return compose(outer, inner); }

Pose inverse(const Pose& pose) noexcept {
  return valid_or_invalid(Pose::make(conjugate(pose.rotation()), -turn_back(pose.matrix(), pose.translation())));
}

double posing_error(const Aabb& bounds, const Pose& pose) noexcept {
  if (!pose.is_valid()) return std::numeric_limits<double>::infinity();
  if (bounds.empty()) return 0;
  const Vec3 farthest{std::max(std::abs(bounds.lo.x), std::abs(bounds.hi.x)),
                      std::max(std::abs(bounds.lo.y), std::abs(bounds.hi.y)),
                      std::max(std::abs(bounds.lo.z), std::abs(bounds.hi.z))};
  const auto& r = pose.matrix();
  double largest = 0;
  for (std::size_t row = 0; row < 3; ++row) {
    const double sum = std::abs(r[3 * row]) * farthest.x + std::abs(r[3 * row + 1]) * farthest.y +
                       std::abs(r[3 * row + 2]) * farthest.z + std::abs(pose.translation()[row]);
    largest = std::max(largest, sum);
  }
  // Products that underflow add their own rounding.
  return 0x1p-50 * largest + 4 * std::numeric_limits<double>::denorm_min();
}

double Vec3::length() const noexcept {
  if (!is_finite()) return (std::abs(x) + std::abs(y)) + std::abs(z);
  const double largest = max_abs(*this);
  if (largest == 0) return 0;
  const double scale = scale_to_one(largest);
  return std::sqrt((scale * *this).squared_length()) / scale;
}

Vec3 Vec3::normalized() const noexcept {
  const double largest = max_abs(*this);
  if (!is_finite() || !(largest > 0)) return {};
  const Vec3 scaled = scale_to_one(largest) * *this;
  return scaled / std::sqrt(scaled.squared_length());
}

}  // namespace snug
