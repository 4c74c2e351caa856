#pragma once

#include <snug/pose.hpp>

#include <array>
#include <optional>

namespace snug::io {

/// Row-major.
using Matrix3 = std::array<double, 9>;
inline constexpr Matrix3 k_identity3{1, 0, 0, 0, 1, 0, 0, 0, 1};

/// What matrices in files are good for: they are mostly printed from single precision, after products in it.
inline constexpr double k_single_precision = 0x1p-20;

/// A linear map as a rotation after a stretch. The stretch is what a rigid pose cannot carry.
struct Factored {
  Quaternion rotation;
  Matrix3 stretch = k_identity3;
  bool rounded = false;  ///< it came out of sums and roots, so equal maps may differ in the last digits
};

/// Diagonal maps are all stretch; columns that are orthogonal to single precision become a rotation and a scale per
/// axis, which is set to equal scales, or to one, where single precision cannot tell; the rest is split by polar
/// decomposition, or wholly stretch when it is flat. The rotation is always a proper one: mirrors are in the stretch.
[[nodiscard]] Factored factor(const Matrix3& linear);

/// Where a node stands: its vertices are stretched first, then posed.
struct Placement {
  Pose pose;
  Matrix3 stretch = k_identity3;
  bool rounded = false;  ///< as in Factored
};

/// A node's own transform, relative to its parent.
struct LocalTransform {
  Vec3 translation;
  Factored linear;
};

/// Nothing if the result is not finite or leaves the limits of a pose.
[[nodiscard]] std::optional<Placement> place_child(const Placement& parent, const LocalTransform& local);

[[nodiscard]] double determinant(const Matrix3& m) noexcept;
[[nodiscard]] Vec3 operator*(const Matrix3& m, const Vec3& v) noexcept;

}  // namespace snug::io
