#include "ccd/trajectory.hpp"

#include "geometry/vec_ops.hpp"
#include "model/motion_bound.hpp"
#include "model/quaternion.hpp"
#include "model/unposed.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace snug::ccd {

namespace {

/// Beyond this turns from the middle are not followed: the span is too long to be told anything about anyway.
constexpr double k_least_w = 0.1;
/// Cosine of half a turn: rounding decides which way a motion goes that turns by this much or more from one key to the next.
constexpr double k_half_turn = 0x1p-40;

/// Calls visit(t, pose, pivot) at the ends of the span, at its middle and at every key between, in rising order. The pivot is
/// that on the way from the corner before.
template <class Visit>
void for_each_corner(const Motion& motion, const TimeSpan& span, double middle, Visit&& visit) {
  const auto keys = motion.keys();
  auto key = std::ranges::upper_bound(keys, span.begin, {}, &PoseKey::t);
  const auto pivot = [&] {
    return motion.pivot(static_cast<std::size_t>(std::max(key - keys.begin(), std::ptrdiff_t{1}) - 1));
  };
  visit(span.begin, motion.at(span.begin), pivot());
  const auto run_to = [&](double end) {
    for (; key != keys.end() && key->t < end; ++key) visit(key->t, key->pose, pivot());
    const Point3 last = pivot();
    if (key != keys.end() && key->t == end) ++key;
    visit(end, motion.at(end), last);
  };
  if (span.begin < middle && middle < span.end) run_to(middle);
  if (span.begin < span.end) run_to(span.end);
}

/// Towards the last of the vectors from the first, or else along the longest.
Vec3 axis_of(const Vec3& first, const Vec3& last, const Vec3& longest) noexcept {
  for (const Vec3& v : {last - first, longest})
    if (const double length = length_of(v); length > 0 && 2 * length >= length_of(longest)) return (1 / length) * v;
  return {1, 0, 0};
}

}  // namespace

Trajectory::Trajectory(const Motion& motion, double radius, const TimeSpan& range) : motion_(&motion), range_(range) {
  rests_ = rests(range);
  for_each_corner(motion, range, range.begin, [&](double, const Pose& pose, const Point3& pivot) {
    farthest_ = std::max(farthest_, farthest_about(pose, pivot, radius));
  });
}

bool Trajectory::rests(const TimeSpan& span) const {
  const Pose first = motion_->at(span.begin);
  bool same = true;
  for_each_corner(*motion_, span, span.begin,
                  [&](double, const Pose& pose, const Point3&) { same = same && pose == first; });
  return same;
}

MotionBound Trajectory::over(const TimeSpan& span) const {
  SNUG_ASSERT(span.begin <= span.end);
  const double middle = span.begin + 0.5 * (span.end - span.begin);
  MotionBound out;
  out.middle = motion_->at(middle);
  // Posing and the interpolation of keys round; see turning_deviation().
  out.slack = 0x1p-44 * farthest_;
  out.pivot = pivot_at(*motion_, middle);
  out.origin = at_pivot(out.middle, out.pivot);
  const Vec3 origin = out.origin;
  const Quaternion back = conjugate(out.middle.rotation());

  struct Ends {
    Vec3 first, last, longest;
    bool any = false;
    void include(const Vec3& v) noexcept {
      if (!any) first = v, any = true;
      last = v;
      if (dot(v, v) > dot(longest, longest)) longest = v;
    }
  } shifts, turns;
  // Turns are followed from corner to corner along shorter arcs, as the motion does, and are first taken along the chain and
  // only then turned to where the middle has a positive scalar part.
  Quaternion before{};
  double sign_at_middle = 1, widest = 0;
  bool any = false, either_way = false;
  double bulge = 0;
  for_each_corner(*motion_, span, middle, [&](double t, const Pose& pose, const Point3& pivot) {
    shifts.include(at_pivot(pose, out.pivot) - origin);
    Quaternion u = product(pose.rotation(), back);
    if (any) either_way = either_way || std::abs(dot(before, u)) < k_half_turn;
    if (any && dot(before, u) < 0) u = negated(u);
    if (any) {
      const double squared = squared_chord(u, before);
      widest = std::max(widest, squared);
      // Where another pivot counts, ours is on an arc about it.
      if (pivot != out.pivot) bulge = std::max(bulge, arc_deviation(length_of(pivot - out.pivot), std::sqrt(squared)));
    }
    if (t == middle) sign_at_middle = u.w < 0 ? -1 : 1;
    turns.include(vector_part(u));
    before = u, any = true;
  });
  out.shift.axis = axis_of(shifts.first, shifts.last, shifts.longest);
  out.turn.axis = axis_of(turns.first, turns.last, turns.longest);
  // Points of an arc are those of its chord, stretched by at most 1 / cos of half its angle; the chord is 2 sin of that half.
  const double stretch = 1 / std::sqrt(1 - std::min(0.25 * widest, 0.5)) * (1 + 0x1p-40);
  any = false;
  for_each_corner(*motion_, span, middle, [&](double, const Pose& pose, const Point3&) {
    out.shift.include(at_pivot(pose, out.pivot) - origin, 1);
    Quaternion u = product(pose.rotation(), back);
    if (any && dot(before, u) < 0) u = negated(u);
    before = u, any = true;
    out.turn.include(sign_at_middle * vector_part(u), stretch);
    out.least_w = std::min(out.least_w, sign_at_middle * u.w);
  });
  out.shift.off += bulge;
  // Of half a turn its two ends do not tell which way the motion goes.
  out.spins = either_way || !(out.least_w >= k_least_w);
  if (out.spins) out.least_w = 0;
  SNUG_ASSERT(out.shift.lo <= 0 && 0 <= out.shift.hi && out.turn.lo <= 0 && 0 <= out.turn.hi);
  // A body that does not turn has quaternions that differ by nothing at all.
  if (out.turn.longest() < 0x1p-50) out.turn = {};
  return out;
}

Aabb Trajectory::swept(const Aabb& box) const {
  constexpr int k_pieces = 16;
  Aabb out;
  if (box.empty()) return out;
  const Vec3 half = 0.5 * box.hi - 0.5 * box.lo, middle = middle_of(box);
  const double radius = length_of(half);
  double at = range_.begin;
  for (int i = 1; i <= k_pieces; ++i) {
    const double end = i == k_pieces ? range_.end : range_.begin + i * (range_.length() / k_pieces);
    const MotionBound motion = over({at, end});
    at = end;
    const auto& m = motion.middle.matrix();
    const Point3 centre = motion.middle.apply(middle);
    const Vec3 arm = centre - motion.origin;
    std::array<double, 3> lo{}, hi{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double extent =
          std::abs(m[3 * axis]) * half.x + std::abs(m[3 * axis + 1]) * half.y + std::abs(m[3 * axis + 2]) * half.z;
      const Vec3 n{axis == 0 ? 1.0 : 0, axis == 1 ? 1.0 : 0, axis == 2 ? 1.0 : 0};
      hi[axis] = centre[axis] + extent + motion.towards(n, arm, radius);
      lo[axis] = centre[axis] - extent - motion.towards(-n, arm, radius);
    }
    out.include({lo[0], lo[1], lo[2]});
    out.include({hi[0], hi[1], hi[2]});
    if (rests_) break;
  }
  return out;
}

bool moves_along(const Trajectory& a, const Trajectory& b, const TimeSpan& span) {
  if (a.rests(span) && b.rests(span)) return true;
  if (a.rests(span) || b.rests(span)) return false;
  const auto times = [&](const Trajectory& way) {
    std::vector<double> out;
    for (const PoseKey& key : way.motion_->keys())
      if (span.begin < key.t && key.t < span.end) out.push_back(key.t);
    return out;
  };
  std::vector<double> at = times(a);
  if (at != times(b)) return false;
  at.insert(at.begin(), span.begin);
  at.push_back(span.end);
  const Pose a0 = a.at(span.begin), b0 = b.at(span.begin);
  // What composing poses rounds; the slack of both spans is several times as large.
  const double noise = 0x1p-47 * (a.farthest_ + b.farthest_);
  const Vec3 apart = unposed(b0, a0.translation());
  const Quaternion between = product(conjugate(b0.rotation()), a0.rotation());
  const auto as_at_begin = [&](double t) {
    const Pose pa = a.at(t), pb = b.at(t);
    if (max_abs(unposed(pb, pa.translation()) - apart) > noise) return false;
    if (pa.rotation() == a0.rotation() && pb.rotation() == b0.rotation()) return true;
    const Quaternion now = product(conjugate(pb.rotation()), pa.rotation());
    return std::abs(std::abs(dot(now, between)) - 1) <= 0x1p-48 &&
           length_of(vector_part(product(conjugate(now), between))) <= 0x1p-47;
  };
  // Between neighbouring times each turns at one rate about one axis, by no more than half a turn, and its pivot moves in a
  // straight line. What agrees at both ends does so in between, but for two half turns that go opposite ways, and for pivots off a
  // common axis, of which one is on an arc that the other's straight line leaves most in the middle.
  for (std::size_t i = 1; i < at.size(); ++i)
    if (!as_at_begin(at[i]) || !as_at_begin(at[i - 1] + 0.5 * (at[i] - at[i - 1]))) return false;
  return true;
}

Point3 pivot_at(const Motion& motion, double t) noexcept {
  if (!motion.has_pivots()) return {};
  const auto after = std::ranges::upper_bound(motion.keys(), t, {}, &PoseKey::t) - motion.keys().begin();
  return motion.pivot(static_cast<std::size_t>(std::max(after, std::ptrdiff_t{1}) - 1));
}

Point3 at_pivot(const Pose& pose, const Point3& pivot) noexcept {
  return pivot == Point3{} ? pose.translation() : pose.apply(pivot);
}

double farthest_from(const Point3& p, const Aabb& box) noexcept {
  return length_of({std::max(p.x - box.lo.x, box.hi.x - p.x), std::max(p.y - box.lo.y, box.hi.y - p.y),
                    std::max(p.z - box.lo.z, box.hi.z - p.z)});
}

double farthest_about(const Pose& pose, const Point3& pivot, double radius) noexcept {
  SNUG_ASSERT(radius >= 0);
  if (pivot == Point3{}) return max_abs(pose.translation()) + radius;
  return max_abs(pose.apply(pivot)) + (length_of(pivot) + radius) * (1 + 0x1p-40);
}

}  // namespace snug::ccd
