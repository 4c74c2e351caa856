#include "ccd/motion_bound.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>

// A point of the body at arm s goes, while the body turns by the quaternion (w, v), by 2 w v × s + 2 v × (v × s). Along n that is
// 2 w v·(s × n) + 2 (n × v)·(v × s). Both terms vanish where n is the axis of the turn, which is how lids swivel on their rims.

namespace snug::ccd {

void DisplacementSet::include(const Vec3& v, double stretch) noexcept {
  const double along = dot(axis, v);
  lo = std::min(lo, along * (along < 0 ? stretch : 1));
  hi = std::max(hi, along * (along > 0 ? stretch : 1));
  off = std::max(off, length_of(v - along * axis) * stretch);
}

double DisplacementSet::longest() const noexcept { return std::max(-lo, hi) + off; }

double DisplacementSet::most_along(const Vec3& n) const noexcept {
  if (lo == 0 && hi == 0 && off == 0) return 0;
  const double c = dot(axis, n);
  return std::max(lo * c, hi * c) + (off > 0 ? off * length_of(n) : 0);
}

double DisplacementSet::most_across(const Vec3& n) const noexcept {
  return std::max(-lo, hi) * length_of(cross(axis, n)) + (off > 0 ? off * length_of(n) : 0);
}

double MotionBound::towards(const Vec3& n, const Vec3& arm, double radius) const noexcept {
  const double shifted = shift.most_along(n) + slack;
  if (!turns()) return shifted;
  const double turned = turn.longest();
  // Wherever it turns to, it cannot get farther than its arm is long.
  const double reach = length_of(arm);
  const double anywhere = (reach + radius) - dot(n, arm) + radius;
  if (spins) return shifted + anywhere;
  const double across = turn.most_across(n);
  const double first = turn.most_along(cross(arm, n)) + radius * across;
  const double second = across * (turn.most_across(arm) + turned * radius);
  return shifted + std::min(anywhere, 2 * (first > 0 ? first : least_w * first) + 2 * second);
}

double MotionBound::most(double arm_length) const noexcept {
  return shift.longest() + slack + 2 * arm_length * (spins ? 1.0 : std::min(1.0, turn.longest()));
}

}  // namespace snug::ccd
