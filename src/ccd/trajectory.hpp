#pragma once

#include "ccd/motion_bound.hpp"
#include "support/rooms.hpp"

#include <snug/motion.hpp>

namespace snug::ccd {

/// A body's motion over a range of time, with a bound for each span of it.
class Trajectory {
 public:
  /// `radius`: how far its points are from its origin at most. Borrows the motion.
  Trajectory(const Motion& motion, double radius, const TimeSpan& range);

  [[nodiscard]] Pose at(double t) const noexcept { return motion_->at(t); }
  [[nodiscard]] const Motion& motion() const noexcept { return *motion_; }
  [[nodiscard]] MotionBound over(const TimeSpan& span) const;
  /// Nowhere farther from zero along any axis, in the whole range.
  [[nodiscard]] double farthest() const noexcept { return farthest_; }
  /// Holds all of the posed box in the whole range.
  [[nodiscard]] Aabb swept(const Aabb& box) const;
  /// Has the same pose throughout.
  [[nodiscard]] bool rests() const noexcept { return rests_; }
  [[nodiscard]] bool rests(const TimeSpan& span) const;

  friend bool moves_along(const Trajectory& a, const Trajectory& b, const TimeSpan& span);

 private:
  const Motion* motion_;
  double farthest_ = 0;
  TimeSpan range_;
  bool rests_ = false;
};

/// Of the motion from the key before t on, in the body's own frame.
[[nodiscard]] Point3 pivot_at(const Motion& motion, double t) noexcept;
/// Where the pose puts the pivot.
[[nodiscard]] Point3 at_pivot(const Pose& pose, const Point3& pivot) noexcept;

/// No point of the box is farther from p.
[[nodiscard]] double farthest_from(const Point3& p, const Aabb& box) noexcept;
/// No coordinate of a body within `radius` of its origin is larger while it turns about a pivot, and goes with it in a straight line
/// from this pose to another for which that is no larger.
[[nodiscard]] double farthest_about(const Pose& pose, const Point3& pivot, double radius) noexcept;

/// Does neither move against the other during the span?
[[nodiscard]] bool moves_along(const Trajectory& a, const Trajectory& b, const TimeSpan& span);

}  // namespace snug::ccd
