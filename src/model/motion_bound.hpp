#pragma once

#include "support/rooms.hpp"

#include <snug/pose.hpp>
#include <snug/vec.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

// How far points of rigid bodies move at most: the formulas that every bound on motion is made of.

namespace snug::model {

/// 2 sin(θ/2), never less but for rounding: a turn by up to θ moves a point at distance r from its axis by no more than r times this.
[[nodiscard]] double turn_chord(double radians) noexcept;
/// The same for the turn from one rotation to another, both row-major.
[[nodiscard]] double turn_chord(const std::array<double, 9>& from, const std::array<double, 9>& to) noexcept;

/// A point at distance `radius` from its pivot is never farther than this from where it would be, at the same time, on the straight
/// line between its ends, while the body turns at one rate. `chord`: between the quaternions of both ends, no more than half a turn
/// apart.
[[nodiscard]] double arc_deviation(double radius, double chord) noexcept;

/// Conservative advancement: a gap that changes at the rate, and whose second derivative is no less than -bend, stays open for so long.
[[nodiscard]] inline double open_for(double gap, double rate, double bend = 0) noexcept {
  constexpr double forever = std::numeric_limits<double>::infinity();
  if (bend == 0) return rate < 0 ? gap / -rate : forever;
  const double root = std::sqrt(rate * rate + 2 * gap * bend);
  if (rate <= 0) return root > rate ? 2 * gap / (root - rate) : forever;
  return bend > 0 ? (root + rate) / bend : forever;
}

/// How two bodies see one another at an instant.
struct RelativeTransform {
  std::array<double, 9> turn = {};  ///< from the frame of b to that of a, row-major
  Vec3 b_from_a, a_from_b;          ///< the middle of the other's bounds, in one's own frame
  double error = 0;                 ///< what rounding may add to a displacement: of the above, and of posed vertices
};

/// Bounds on the relative displacement of two bodies between two instants, by the balls around their bounds.
class RelativeDisplacement {
 public:
  RelativeDisplacement(const Aabb& bounds_a, const Aabb& bounds_b) noexcept;

  [[nodiscard]] RelativeTransform at(const Pose& pose_a, const Pose& pose_b) const noexcept;
  /// No two points, one of either body as it is posed, have come closer or gone further apart than this.
  [[nodiscard]] double between(const RelativeTransform& from, const RelativeTransform& to) const noexcept;
  /// Of the smaller one.
  [[nodiscard]] double size() const noexcept { return 2 * std::min(radius_a_, radius_b_); }

 private:
  Aabb bounds_a_, bounds_b_;
  Point3 middle_a_, middle_b_;
  double radius_a_, radius_b_;
};

/// How far points of one body that are in the region now have moved relative to the other since then: no less than any did, but for
/// rounding.
[[nodiscard]] double displacement_within(const Aabb& region, const Pose& then_a, const Pose& then_b, const Pose& now_a,
                                         const Pose& now_b) noexcept;

}  // namespace snug::model
