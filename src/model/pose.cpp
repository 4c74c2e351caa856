#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"
#include "support/trig.hpp"

#include <snug/pose.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

// Compiled without contraction into fused operations: the sequence of roundings below is a promise.

namespace snug {

namespace {

using namespace detail;

bool is_finite(const Vec3& v) noexcept { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

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
  if (!is_finite(translation) || !is_finite({q.x, q.y, q.z}) || !std::isfinite(q.w))
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

/// The formula turns -0 into 0 where it adds products that are 0; by the identity everything stays as it is.
bool leaves_all(const std::array<double, 9>& r, const Vec3& t) noexcept {
  return r[0] == 1 && t.x == 0 && r == std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1} && t == Vec3{};
}

Point3 placed(const std::array<double, 9>& r, const Vec3& t, const Point3& v) noexcept {
  return {((r[0] * v.x + r[1] * v.y) + r[2] * v.z) + t.x, ((r[3] * v.x + r[4] * v.y) + r[5] * v.z) + t.y,
          ((r[6] * v.x + r[7] * v.y) + r[8] * v.z) + t.z};
}

}  // namespace

Point3 Pose::apply(const Point3& v) const noexcept {
  return leaves_all(matrix_, translation_) ? v : placed(matrix_, translation_, v);
}

void Pose::apply(std::span<const Point3> in, std::span<Point3> out) const noexcept {
  SNUG_ASSERT(in.size() == out.size());
  if (leaves_all(matrix_, translation_)) {
    std::ranges::copy(in, out.begin());
    return;
  }
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = placed(matrix_, translation_, in[i]);
}

// A part that silently jumps to the origin may read as clear, so what the next two cannot place stops the program, in
// every build.

Pose translation(double x, double y, double z) noexcept { return Pose::make({}, {x, y, z}).value(); }

Pose rotation(const Vec3& axis, double radians) noexcept {
  if (!is_finite(axis) || max_abs(axis) == 0) stop("rotation(): the axis must be finite and not zero");
  if (!(std::abs(radians) <= k_max_angle)) stop("rotation(): the angle must lie within a million radians");
  const Vec3 scaled = scale_to_one(max_abs(axis)) * axis;
  const double s = sine(radians / 2) / std::sqrt(dot(scaled, scaled));
  return Pose::make({cosine(radians / 2), s * scaled.x, s * scaled.y, s * scaled.z}, {}).value();
}

Pose compose(const Pose& outer, const Pose& inner) noexcept {
  const Quaternion p = outer.rotation(), q = inner.rotation();
  const Quaternion product{
      ((p.w * q.w - p.x * q.x) - p.y * q.y) - p.z * q.z, ((p.w * q.x + p.x * q.w) + p.y * q.z) - p.z * q.y,
      ((p.w * q.y - p.x * q.z) + p.y * q.w) + p.z * q.x, ((p.w * q.z + p.x * q.y) - p.y * q.x) + p.z * q.w};
  const Point3 moved = outer.apply(inner.translation());
  const auto within_limit = [](double t) { return std::clamp(t, -k_max_coordinate, k_max_coordinate); };
  return Pose::make(product, {within_limit(moved.x), within_limit(moved.y), within_limit(moved.z)}).value();
}

double posing_error(const Aabb& bounds, const Pose& pose) noexcept {
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

}  // namespace snug
