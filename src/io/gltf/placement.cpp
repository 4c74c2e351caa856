#include "io/gltf/placement.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace snug::io {

namespace {

using geometry::max_abs;
using model::dot;

double largest(const Matrix3& m) noexcept {
  double out = 0;
  for (const double e : m) out = std::max(out, std::abs(e));
  return out;
}

Vec3 column(const Matrix3& m, std::size_t c) noexcept { return {m[c], m[3 + c], m[6 + c]}; }

/// Exact when only one coordinate is not zero, so that scales along the axes come out as they were written.
double length_of(Vec3 v) noexcept {
  const double extent = max_abs(v);
  if (extent == 0) return 0;
  const Vec3 u{v.x / extent, v.y / extent, v.z / extent};
  return extent * std::sqrt(dot(u, u));
}

Matrix3 multiply(const Matrix3& a, const Matrix3& b) noexcept {
  Matrix3 out;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c)
      out[3 * r + c] = (a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c]) + a[3 * r + 2] * b[6 + c];
  return out;
}

Matrix3 transposed(const Matrix3& m) noexcept { return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}; }

/// det(m) times the transposed inverse.
Matrix3 cofactors(const Matrix3& m) noexcept {
  return {m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6],
          m[2] * m[7] - m[1] * m[8], m[0] * m[8] - m[2] * m[6], m[1] * m[6] - m[0] * m[7],
          m[1] * m[5] - m[2] * m[4], m[2] * m[3] - m[0] * m[5], m[0] * m[4] - m[1] * m[3]};
}

/// Shepperd's method: divides by the largest of the four components, so it is accurate for every rotation. The result
/// is of unit length only as far as the matrix is orthonormal.
Quaternion quaternion_of(const Matrix3& r) noexcept {
  const double trace = (r[0] + r[4]) + r[8];
  if (trace >= std::max({r[0], r[4], r[8]})) {
    const double w = std::sqrt(std::max(1 + trace, 0.0)) / 2;
    return {w, (r[7] - r[5]) / (4 * w), (r[2] - r[6]) / (4 * w), (r[3] - r[1]) / (4 * w)};
  }
  if (r[0] >= r[4] && r[0] >= r[8]) {
    const double x = std::sqrt(std::max(((1 + r[0]) - r[4]) - r[8], 0.0)) / 2;
    return {(r[7] - r[5]) / (4 * x), x, (r[1] + r[3]) / (4 * x), (r[2] + r[6]) / (4 * x)};
  }
  if (r[4] >= r[8]) {
    const double y = std::sqrt(std::max(((1 - r[0]) + r[4]) - r[8], 0.0)) / 2;
    return {(r[2] - r[6]) / (4 * y), (r[1] + r[3]) / (4 * y), y, (r[5] + r[7]) / (4 * y)};
  }
  const double z = std::sqrt(std::max(((1 - r[0]) - r[4]) + r[8], 0.0)) / 2;
  return {(r[3] - r[1]) / (4 * z), (r[2] + r[6]) / (4 * z), (r[5] + r[7]) / (4 * z), z};
}

bool is_diagonal(const Matrix3& m) noexcept {
  return m[1] == 0 && m[2] == 0 && m[3] == 0 && m[5] == 0 && m[6] == 0 && m[7] == 0;
}
bool is_uniform(const Matrix3& m) noexcept { return is_diagonal(m) && m[0] == m[4] && m[4] == m[8]; }
bool is_identity(const Quaternion& q) noexcept { return q.x == 0 && q.y == 0 && q.z == 0; }

Matrix3 rotation_matrix(const Quaternion& q) { return Pose::make(q, {}).value_or(Pose{}).matrix(); }

/// To so many decimal digits: scales are mostly round numbers, and a rounding that knows nothing of other nodes makes
/// those that were equal equal again.
double rounded(double value, int digits) {
  std::array<char, 64> text;
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, digits - 1);
  double out = value;
  (void)std::from_chars(text.data(), written.ptr, out);
  return out;
}

double difference(const Matrix3& map, const Factored& parts) {
  const Matrix3 product = multiply(rotation_matrix(parts.rotation), parts.stretch);
  double out = 0;
  for (std::size_t i = 0; i < 9; ++i) out = std::max(out, std::abs(product[i] - map[i]));
  return out / largest(map);
}

std::optional<Factored> factor_orthogonal(const Matrix3& linear) {
  constexpr double k_single = 0x1p-20, k_double = 0x1p-46;  // what columns are orthogonal to, after a few products
  constexpr int k_single_digits = 6, k_double_digits = 14;
  Vec3 scale{length_of(column(linear, 0)), length_of(column(linear, 1)), length_of(column(linear, 2))};
  if (!(scale.x > 0 && scale.y > 0 && scale.z > 0)) return std::nullopt;
  Matrix3 unit = linear;
  for (std::size_t i = 0; i < 9; ++i) unit[i] /= scale[i % 3];
  double skew = 0;
  for (std::size_t c = 0; c < 3; ++c) skew = std::max(skew, std::abs(dot(column(unit, c), column(unit, (c + 1) % 3))));
  if (!(skew <= k_single)) return std::nullopt;
  if (determinant(unit) < 0) {
    scale.x = -scale.x;
    for (std::size_t r = 0; r < 3; ++r) unit[3 * r] = -unit[3 * r];
  }
  const auto with_digits = [&](int digits) {
    Factored out{quaternion_of(unit), {}, 0};
    for (std::size_t axis = 0; axis < 3; ++axis) out.stretch[4 * axis] = rounded(scale[axis], digits);
    out.off = difference(linear, out);
    return out;
  };
  // A matrix of many digits keeps them; where it is no more orthogonal than single precision makes it, or its scales
  // differ by that little, the digits behind are noise.
  const double mean = (std::abs(scale.x) + scale.y + scale.z) / 3;
  const double spread =
      std::max({std::abs(std::abs(scale.x) - mean), std::abs(scale.y - mean), std::abs(scale.z - mean)});
  const bool noisy = skew > k_double || (spread > k_double * mean && spread <= k_single * mean);
  return with_digits(noisy ? k_single_digits : k_double_digits);
}

/// Newton's iteration for the orthogonal factor (Higham 1986): the mean of a matrix and its transposed inverse.
std::optional<Factored> factor_polar(const Matrix3& linear) {
  const double extent = largest(linear);
  Matrix3 q = linear;
  for (double& e : q) e /= extent;
  for (int step = 0; step < 64; ++step) {
    const double det = determinant(q);
    if (!(std::abs(det) > 0x1p-100)) return std::nullopt;
    const Matrix3 inverse = cofactors(q);
    double change = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      const double next = (q[i] + inverse[i] / det) / 2;
      change = std::max(change, std::abs(next - q[i]));
      q[i] = next;
    }
    if (!(change < 0x1p1000)) return std::nullopt;
    if (change > 0x1p-50) continue;
    if (determinant(q) < 0)
      for (double& e : q) e = -e;
    Factored out{quaternion_of(q), {}, 0};
    out.stretch = multiply(transposed(rotation_matrix(out.rotation)), linear);
    return out;
  }
  return std::nullopt;
}

}  // namespace

double determinant(const Matrix3& m) noexcept {
  const Matrix3 c = cofactors(m);
  return (m[0] * c[0] + m[1] * c[1]) + m[2] * c[2];
}

Vec3 operator*(const Matrix3& m, const Vec3& v) noexcept {
  return {(m[0] * v.x + m[1] * v.y) + m[2] * v.z, (m[3] * v.x + m[4] * v.y) + m[5] * v.z,
          (m[6] * v.x + m[7] * v.y) + m[8] * v.z};
}

Factored factor(const Matrix3& linear) {
  const double extent = largest(linear);
  const bool sane = extent > 0x1p-400 && extent < 0x1p400;  // beyond this, determinants leave the range of doubles
  if (is_diagonal(linear) || !sane) return {{}, linear, 0};
  if (const auto orthogonal = factor_orthogonal(linear)) return *orthogonal;
  if (const auto polar = factor_polar(linear)) return *polar;
  return {{}, linear, 0};
}

std::optional<Placement> place_child(const Placement& parent, const LocalTransform& local) {
  Placement child;
  child.off = parent.off + local.linear.off;
  Quaternion q = local.linear.rotation;
  if (is_identity(q) || is_uniform(parent.stretch)) {  // these commute: nothing is mixed, nothing rounded but products
    child.stretch = multiply(parent.stretch, local.linear.stretch);
  } else {
    const Factored mixed = factor(multiply(multiply(parent.stretch, rotation_matrix(q)), local.linear.stretch));
    child.stretch = mixed.stretch;
    child.off += mixed.off;
    q = mixed.rotation;
  }
  const Quaternion& p = parent.pose.rotation();
  const Quaternion turned = is_identity(q)   ? p
                            : is_identity(p) ? q
                                             : Quaternion{((p.w * q.w - p.x * q.x) - p.y * q.y) - p.z * q.z,
                                                          ((p.w * q.x + p.x * q.w) + p.y * q.z) - p.z * q.y,
                                                          ((p.w * q.y - p.x * q.z) + p.y * q.w) + p.z * q.x,
                                                          ((p.w * q.z + p.x * q.y) - p.y * q.x) + p.z * q.w};
  for (const double e : child.stretch)
    if (!std::isfinite(e)) return std::nullopt;
  const auto pose = Pose::make(turned, parent.pose.apply(parent.stretch * local.translation));
  if (!pose) return std::nullopt;
  child.pose = *pose;
  return child;
}

}  // namespace snug::io
