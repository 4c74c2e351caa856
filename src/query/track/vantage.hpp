#pragma once

#include <snug/mesh.hpp>
#include <snug/pose.hpp>

#include <algorithm>
#include <array>

namespace snug::detail {

/// How two bodies see one another, in doubles.
struct Vantage {
  std::array<double, 9> turn = {};  ///< from the frame of b to that of a, row-major
  Vec3 b_from_a, a_from_b;          ///< the middle of the other's bounds, in one's own frame
  double error = 0;                 ///< what rounding may add to a motion: of the above, and of posed vertices
};

/// Two bodies whose places are compared.
class Vantages {
 public:
  Vantages(const Aabb& bounds_a, const Aabb& bounds_b) noexcept;

  [[nodiscard]] Vantage at(const Pose& pose_a, const Pose& pose_b) const noexcept;
  /// No two points, one of either body as it is posed, have come closer or gone further apart than this.
  [[nodiscard]] double motion(const Vantage& from, const Vantage& to) const noexcept;
  /// Of the smaller one.
  [[nodiscard]] double size() const noexcept { return 2 * std::min(radius_a_, radius_b_); }

 private:
  Aabb bounds_a_, bounds_b_;
  Point3 middle_a_, middle_b_;
  double radius_a_, radius_b_;
};

}  // namespace snug::detail
