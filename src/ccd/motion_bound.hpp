#pragma once

#include "support/rooms.hpp"

#include <snug/pose.hpp>
#include <snug/vec.hpp>

namespace snug::ccd {

/// A set of vectors: no farther than `off` from the piece of a line through zero between lo and hi along `axis`, square to
/// it. A turn about a fixed axis and a straight way are such pieces with nothing off them.
struct DisplacementSet {
  Vec3 axis;
  double lo = 0, hi = 0, off = 0;

  /// Widens a set that is given an axis by v, or by all of its direction's vectors up to `stretch` times as long.
  void include(const Vec3& v, double stretch) noexcept;
  [[nodiscard]] double longest() const noexcept;
  /// The most that v·n can be.
  [[nodiscard]] double most_along(const Vec3& n) const noexcept;
  /// No v × n is longer.
  [[nodiscard]] double most_across(const Vec3& n) const noexcept;
};

/// How far points of a body may move during a span of time from where they are in the middle of it. Arms are measured from the pivot
/// that the motion has there, see Motion::pivot(). However many keys the span has, the bound is as narrow as the motion is.
struct MotionBound {
  Pose middle;
  Point3 pivot;           ///< in the body's own frame
  Vec3 origin;            ///< where the pivot is in the middle, in the world
  DisplacementSet shift;  ///< of the pivot
  DisplacementSet turn;   ///< vector parts of the quaternions that turn it, their scalar parts not negative
  double least_w = 1;     ///< smallest scalar part
  bool spins = false;     ///< turns too far to be bounded
  double slack = 0;       ///< what rounding may add

  [[nodiscard]] bool turns() const noexcept { return spins || turn.lo < 0 || turn.hi > 0 || turn.off > 0; }
  [[nodiscard]] bool rests() const noexcept { return !spins && shift.longest() == 0 && turn.longest() == 0; }
  /// The most by which a point may get ahead in the direction n, of unit length. The point is within `radius` of `arm`, seen
  /// from `origin`.
  [[nodiscard]] double towards(const Vec3& n, const Vec3& arm, double radius) const noexcept;
  /// The most by which it may move in any direction.
  [[nodiscard]] double most(double arm_length) const noexcept;
};

}  // namespace snug::ccd
