#pragma once

#include "support/rooms.hpp"

#include <snug/pose.hpp>

#include <array>
#include <optional>

namespace snug::io {

/// Row-major.
using Matrix3 = std::array<double, 9>;
inline constexpr Matrix3 k_identity3{1, 0, 0, 0, 1, 0, 0, 0, 1};

/// A linear map as a rotation after a stretch. The stretch is what a rigid pose cannot carry.
struct Factored {
  Quaternion rotation;
  Matrix3 stretch = k_identity3;
  double off = 0;  ///< how far an element of their product lies from the map's, as a share of the largest element
};

/// Beyond what computing in doubles brings about: a placement that is off by more was read from too few digits.
inline constexpr double k_noticeable = 0x1p-40;

/// Diagonal maps are all stretch. Columns that are orthogonal become a rotation and a scale per axis: to the precision of
/// doubles, or to that of single precision, in which most matrices were computed and printed; the scales are rounded to
/// as many digits as they can then have, so that equal ones are equal. The rest is split by polar decomposition, or
/// wholly stretch when it is flat. The rotation is always a proper one: mirrors are in the stretch.
[[nodiscard]] Factored factor(const Matrix3& linear);

/// Where a node stands: its vertices are stretched first, then posed.
struct Placement {
  Pose pose;
  Matrix3 stretch = k_identity3;
  double off = 0;  ///< as in Factored, of the whole chain of nodes
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
