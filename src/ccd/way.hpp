#pragma once

#include <snug/motion.hpp>

namespace snug::detail {

/// A set of vectors: no farther than `off` from the piece of a line through zero between lo and hi along `axis`, square to
/// it. A turn about a fixed axis and a straight way are such pieces with nothing off them.
struct Reach {
  Vec3 axis;
  double lo = 0, hi = 0, off = 0;

  [[nodiscard]] double longest() const noexcept;
  /// The most that v·n can be.
  [[nodiscard]] double most_along(const Vec3& n) const noexcept;
  /// No v × n is longer.
  [[nodiscard]] double most_across(const Vec3& n) const noexcept;
};

/// Where a body may be during a span of time, seen from its pose in the middle of it. Arms are measured from the pivot that
/// the motion has there, see Motion::pivot(). However many keys the span has, it is as
/// narrow as the way is.
struct SpanMotion {
  Pose middle;
  Point3 pivot;        ///< in the body's own frame
  Vec3 origin;         ///< where the pivot is in the middle, in the world
  Reach shift;         ///< of the pivot
  Reach turn;          ///< vector parts of the quaternions that turn it, their scalar parts not negative
  double least_w = 1;  ///< smallest scalar part
  bool spins = false;  ///< turns too far to be told
  double slack = 0;    ///< what rounding may add

  [[nodiscard]] bool turns() const noexcept { return spins || turn.lo < 0 || turn.hi > 0 || turn.off > 0; }
  /// The most by which a point may get ahead in the direction n, of unit length. The point is within `radius` of `arm`, seen
  /// from `origin`.
  [[nodiscard]] double towards(const Vec3& n, const Vec3& arm, double radius) const noexcept;
  /// The most by which it may move in any direction.
  [[nodiscard]] double most(double arm_length) const noexcept;
};

/// A body's motion, asked for spans of time.
class Way {
 public:
  /// `radius`: how far its points are from its origin at most. Borrows the motion.
  Way(const Motion& motion, double radius, const TimeSpan& range);

  [[nodiscard]] Pose at(double t) const noexcept { return motion_->at(t); }
  [[nodiscard]] const Motion& motion() const noexcept { return *motion_; }
  [[nodiscard]] SpanMotion over(const TimeSpan& span) const;
  /// Nowhere farther from zero along any axis, in the whole range.
  [[nodiscard]] double farthest() const noexcept { return farthest_; }
  /// Holds all of the posed box in the whole range.
  [[nodiscard]] Aabb swept(const Aabb& box) const;
  /// Has the same pose throughout.
  [[nodiscard]] bool rests() const noexcept { return rests_; }
  [[nodiscard]] bool rests(const TimeSpan& span) const;

  friend bool moves_along(const Way& a, const Way& b, const TimeSpan& span);

 private:
  const Motion* motion_;
  double farthest_ = 0;
  TimeSpan range_;
  bool rests_ = false;
};

/// No coordinate of a body within `radius` of its origin is larger while it turns about a pivot, and goes with it in a straight line
/// from this pose to another for which that is no larger.
[[nodiscard]] double farthest_about(const Pose& pose, const Point3& pivot, double radius) noexcept;

/// Does neither move against the other during the span?
[[nodiscard]] bool moves_along(const Way& a, const Way& b, const TimeSpan& span);

}  // namespace snug::detail
