#pragma once

#include <snug/export.hpp>
#include <snug/result.hpp>
#include <snug/vec.hpp>

#include <array>
#include <string>

namespace snug {

struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
  friend constexpr bool operator==(const Quaternion&, const Quaternion&) = default;
};

/// Why a pose was refused.
struct PoseError {
  enum class Code {
    non_finite,      ///< NaN or infinity
    too_large,       ///< a translation beyond k_max_coordinate
    zero_rotation,   ///< a quaternion or axis of length zero
    not_a_rotation,  ///< a matrix that scales, shears or mirrors: see `deviation`
    bad_last_row,    ///< the last row of a 4x4 matrix is not 0 0 0 1
  } code;
  /// not_a_rotation: the largest of |R R^T - I| and |det R - 1|, over all elements. bad_last_row: of that row from 0 0 0 1.
  double deviation = 0;
  [[nodiscard]] SNUG_API std::string message() const;
};

/// Rigid placement: rotation, then translation. The matrix is computed once, by the formula in docs/conventions.md,
/// and placing a point is a fixed sequence of rounded operations that is never fused or reordered, so a posed vertex
/// has the same bits in every method, on every machine.
///
/// A pose that cannot be made is the invalid one: is_valid() is false, its numbers are NaN, it equals nothing, and everything
/// made from it is invalid too. Every query refuses it, each by the value that docs/conventions.md lists ("Invalid input"); none
/// takes it for clear, and none stops the program.
class SNUG_API Pose {
 public:
  /// The identity; apply() returns its argument.
  Pose() noexcept = default;

  /// The quaternion is scaled to unit length; it must be finite and not zero. Translations are limited to
  /// k_max_coordinate so that posed vertices stay finite.
  static Result<Pose, PoseError> make(const Quaternion& rotation, const Vec3& translation);
  /// Row-major 3x3 rotation and translation. A rotation by no more than `tolerance`, as PoseError::deviation measures it; the
  /// nearest unit quaternion stands for it, from which matrix() is computed again.
  static Result<Pose, PoseError> from_matrix(const std::array<double, 9>& rotation, const Vec3& translation,
                                             double tolerance = k_matrix_tolerance);
  /// Row-major 4x4 that maps column vectors: the translation is in the last column, the last row is 0 0 0 1.
  static Result<Pose, PoseError> from_matrix4(const std::array<double, 16>& matrix,
                                              double tolerance = k_matrix_tolerance);
  /// Matrices written with six or seven digits, or as floats, deviate by less.
  static constexpr double k_matrix_tolerance = 1e-5;
  /// The pose that is none.
  static Pose invalid() noexcept;

  [[nodiscard]] bool is_valid() const noexcept { return rotation_.w == rotation_.w; }

  [[nodiscard]] const Quaternion& rotation() const noexcept { return rotation_; }
  [[nodiscard]] const Vec3& translation() const noexcept { return translation_; }
  /// Row-major 3x3.
  [[nodiscard]] const std::array<double, 9>& matrix() const noexcept { return matrix_; }

  /// w_i = ((R_i0 x + R_i1 y) + R_i2 z) + t_i
  [[nodiscard]] Point3 apply(const Point3& v) const noexcept;
  /// apply() to many points; `out` must be as long as `in`.
  void apply(std::span<const Point3> in, std::span<Point3> out) const noexcept;
  /// A direction: turned, not moved.
  [[nodiscard]] Vec3 turn(const Vec3& direction) const noexcept;
  /// outer * inner is compose(outer, inner).
  friend SNUG_API Pose operator*(const Pose& outer, const Pose& inner) noexcept;

  friend bool operator==(const Pose&, const Pose&) = default;

 private:
  Quaternion rotation_;
  Vec3 translation_;
  std::array<double, 9> matrix_{1, 0, 0, 0, 1, 0, 0, 0, 1};
};

/// Pure translation. Invalid if an offset is not finite or beyond k_max_coordinate; Pose::make says which.
[[nodiscard]] SNUG_API Pose translation(double x, double y, double z) noexcept;
/// Rotation about an axis through the origin, right-handed. Invalid if the axis is zero or not finite, or the angle beyond a
/// million radians.
[[nodiscard]] SNUG_API Pose rotation(const Vec3& axis, double radians) noexcept;
/// `inner` first, then `outer`. Rounded: posing by the product may differ from posing twice in the last bits.
/// Invalid if one of them is, or if the translation comes to lie beyond k_max_coordinate.
[[nodiscard]] SNUG_API Pose compose(const Pose& outer, const Pose& inner) noexcept;
/// What undoes it, but for rounding: the last bits may differ. Invalid if the pose is, or if its translation, turned back, lies
/// beyond k_max_coordinate.
[[nodiscard]] SNUG_API Pose inverse(const Pose& pose) noexcept;

/// Bound on how far a posed vertex of anything inside `bounds` lies from where the pose's matrix puts it in exact
/// arithmetic: 2^-50 (max over rows of sum |R||v| + |t|), plus four times the smallest double. Infinite for the invalid pose.
[[nodiscard]] SNUG_API double posing_error(const Aabb& bounds, const Pose& pose) noexcept;

}  // namespace snug
