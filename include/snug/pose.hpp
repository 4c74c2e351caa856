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
  enum class Code { non_finite, too_large, zero_rotation } code;
  [[nodiscard]] SNUG_API std::string message() const;
};

/// Rigid placement: rotation, then translation. The matrix is computed once, by the formula in docs/conventions.md,
/// and placing a point is a fixed sequence of rounded operations that is never fused or reordered, so a posed vertex
/// has the same bits in every method, on every machine.
class SNUG_API Pose {
 public:
  /// The identity; apply() returns its argument.
  Pose() noexcept = default;

  /// The quaternion is scaled to unit length; it must be finite and not zero. Translations are limited to
  /// k_max_coordinate so that posed vertices stay finite.
  static Result<Pose, PoseError> make(const Quaternion& rotation, const Vec3& translation);

  [[nodiscard]] const Quaternion& rotation() const noexcept { return rotation_; }
  [[nodiscard]] const Vec3& translation() const noexcept { return translation_; }
  /// Row-major 3x3.
  [[nodiscard]] const std::array<double, 9>& matrix() const noexcept { return matrix_; }

  /// w_i = ((R_i0 x + R_i1 y) + R_i2 z) + t_i
  [[nodiscard]] Point3 apply(const Point3& v) const noexcept;
  /// apply() to many points; `out` must be as long as `in`.
  void apply(std::span<const Point3> in, std::span<Point3> out) const noexcept;

  friend bool operator==(const Pose&, const Pose&) = default;

 private:
  Quaternion rotation_;
  Vec3 translation_;
  std::array<double, 9> matrix_{1, 0, 0, 0, 1, 0, 0, 0, 1};
};

/// Largest magnitude of a mesh coordinate or a translation (about 1e300): posed vertices then stay finite.
inline constexpr double k_max_coordinate = 0x1p996;

/// Pure translation. Offsets that are not finite or beyond k_max_coordinate stop the program: use Pose::make for data
/// you do not trust.
[[nodiscard]] SNUG_API Pose translation(double x, double y, double z) noexcept;
/// Rotation about an axis through the origin, right-handed. An axis that is zero or not finite, or an angle beyond a
/// million radians, stops the program.
[[nodiscard]] SNUG_API Pose rotation(const Vec3& axis, double radians) noexcept;
/// `inner` first, then `outer`. Rounded: posing by the product may differ from posing twice in the last bits. A
/// translation beyond k_max_coordinate is cut to it.
[[nodiscard]] SNUG_API Pose compose(const Pose& outer, const Pose& inner) noexcept;

/// Bound on how far a posed vertex of anything inside `bounds` lies from where the pose's matrix puts it in exact
/// arithmetic: 2^-50 (max over rows of sum |R||v| + |t|), plus four times the smallest double.
[[nodiscard]] SNUG_API double posing_error(const Aabb& bounds, const Pose& pose) noexcept;

}  // namespace snug
