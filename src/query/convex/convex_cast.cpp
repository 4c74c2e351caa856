#include "query/convex/convex_cast.hpp"

#include "model/motion_bound.hpp"

// Conservative advancement (Mirtich 1996) for bodies that do not turn: a plane that keeps them apart tells until when they
// can not meet. As the gap along its normal is a convex function of time, the steps are those of Newton's method and end soon.

namespace snug::query {

namespace {
constexpr int k_steps = 200;
}

std::optional<CastMeeting> cast_convex(const Convex& still, Convex moving, const Vec3& motion, double limit) noexcept {
  CastMeeting met;
  Gap gap;
  for (int step = 0; step < k_steps; ++step) {
    moving.shift(met.t * motion);
    gap = gap_between(still, moving, {.touching = k_cast_gap, .width = 0.25 * k_cast_gap, .share = 0.9}, gap.normal);
    // Bounds that did not come together would leave a gap open: that is a hit, whose gap tells.
    if (gap.upper <= k_cast_gap || !(gap.lower > 0)) break;
    met.normal = gap.normal;
    const double open = open_for(gap.lower, dot(gap.normal, motion));
    // The planes move apart, so nothing is met any more.
    if (std::isinf(open)) return std::nullopt;
    met.t += open * (1 - 0x1p-50);
    if (met.t > limit) return std::nullopt;
  }
  met.gap = gap.upper, met.on_still = gap.on_a, met.on_moving = gap.on_b;
  return met;
}

std::optional<CastMeeting> cast_convex(const Plane& either, const Convex& moving, const Vec3& motion,
                                       double limit) noexcept {
  CastMeeting met;
  const Plane still = either.facing(moving);
  const Point3 nearest = moving.support(-still.normal) - moving.radius() * still.normal;
  const double height = still.height(nearest), closing = -dot(still.normal, motion);
  if (height > k_cast_gap) {
    if (!(closing > 0)) return std::nullopt;
    met.t = (height - k_gap_rounding) / closing;
    if (!(met.t <= limit)) return std::nullopt;
    met.normal = still.normal, met.gap = 2 * k_gap_rounding;
    met.on_moving = nearest + met.t * motion;
    met.on_still = met.on_moving - std::max(still.height(met.on_moving), 0.0) * still.normal;
    return met;
  }
  met.gap = std::max(height, 0.0);
  met.on_moving = height > 0 ? nearest : still.shared(moving), met.on_still = met.on_moving - met.gap * still.normal;
  return met;
}

void sharpen_normal(const Convex& still, Convex moving, const Vec3& motion, CastMeeting& met) noexcept {
  constexpr double before = 0x1p-22;
  if (met.normal == Vec3{}) return;
  moving.shift(std::max(met.t - before / length_of(motion), 0.0) * motion);
  const Gap gap = gap_between(still, moving, {}, met.normal);
  if (gap.lower > 0) met.normal = gap.normal;
}

bool SweptBox::delay(double begin, double& enter, double leave) const noexcept {
  if (!(begin > end_)) return true;
  const double closing = -dot(along_, way_);
  if (!(closing > 0)) return false;
  enter = std::max(enter, ((begin - end_) / closing) * (1 - 0x1p-48));
  return enter <= leave;
}

double SweptBox::enter(const FrameBox& box, double margin) const noexcept {
  double enter = 0, leave = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& axis = box.axis[i];
    const double reach = ((std::abs(axis.x) * half_.x + std::abs(axis.y) * half_.y) + std::abs(axis.z) * half_.z) +
                         ((box.half[i] + radius_) + margin);
    if (!narrow_about(dot(axis, box.centre), dot(axis, way_), reach, enter, leave))
      return std::numeric_limits<double>::infinity();
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const double reach = ((std::abs(box.axis[0][i]) * box.half.x + std::abs(box.axis[1][i]) * box.half.y) +
                          std::abs(box.axis[2][i]) * box.half.z) +
                         ((half_[i] + radius_) + margin);
    if (!narrow_about(box.centre[i], way_[i], reach, enter, leave)) return std::numeric_limits<double>::infinity();
  }
  if (!delay((dot(along_, box.centre) - box.reach(along_)) - margin, enter, leave))
    return std::numeric_limits<double>::infinity();
  return enter;
}

bool SweptBox::may_meet(const Triangle& t, double margin, double until) const noexcept {
  double enter = 0, leave = until;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [lo, hi] = std::minmax({t[0][i], t[1][i], t[2][i]});
    const double reach = (half_[i] + radius_) + margin;
    if (!narrow(-hi - reach, reach - lo, way_[i], enter, leave)) return false;
  }
  if (!delay(std::min({dot(along_, t[0]), dot(along_, t[1]), dot(along_, t[2])}) - margin, enter, leave)) return false;
  // Across the triangle, whose normal may have any length.
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  const double length = length_of(n);
  if (!(length > 0)) return true;
  const double reach =
      ((std::abs(n.x) * half_.x + std::abs(n.y) * half_.y) + std::abs(n.z) * half_.z) + length * (radius_ + margin);
  const auto [lo, hi] = std::minmax({dot(n, t[0]), dot(n, t[1]), dot(n, t[2])});
  return narrow(-hi - reach, reach - lo, dot(n, way_), enter, leave);
}

}  // namespace snug::query
