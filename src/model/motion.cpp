#include "geometry/vec_ops.hpp"
#include "model/unposed.hpp"
#include "support/assert.hpp"
#include "support/trig.hpp"

#include <snug/motion.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace snug {

namespace {

using namespace model;

template <class Key>
std::optional<MotionError> find_time_error(std::span<const Key> keys) {
  if (keys.empty()) return MotionError{MotionError::Code::empty};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!std::isfinite(keys[i].t)) return MotionError{MotionError::Code::non_finite_time, i};
    if (i > 0 && !(keys[i - 1].t < keys[i].t)) return MotionError{MotionError::Code::times_not_rising, i};
  }
  return std::nullopt;
}

/// The keys on both sides of t, and how far between them; both the same key at its time and outside the range.
template <class Key>
struct Between {
  const Key* before;
  const Key* after;
  double fraction = 0;
};

template <class Key>
Between<Key> between(std::span<const Key> keys, double t) noexcept {
  SNUG_ASSERT(!std::isnan(t));
  const auto after = std::ranges::upper_bound(keys, t, {}, &Key::t);
  if (after == keys.begin()) return {&keys.front(), &keys.front()};
  const Key* before = &*(after - 1);
  if (after == keys.end() || before->t == t) return {before, before};
  const double span = after->t - before->t;
  if (std::isfinite(span)) return {before, &*after, (t - before->t) / span};
  return {before, &*after, (0.5 * t - 0.5 * before->t) / (0.5 * after->t - 0.5 * before->t)};
}

double length(const Quaternion& q) noexcept { return std::sqrt((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z)); }

Quaternion weighted(double s, const Quaternion& p, double t, const Quaternion& q) noexcept {
  return {s * p.w + t * q.w, s * p.x + t * q.x, s * p.y + t * q.y, s * p.z + t * q.z};
}

double cosine_between(const Quaternion& p, const Quaternion& q) noexcept {
  return (p.w * q.w + p.x * q.x) + (p.y * q.y + p.z * q.z);
}

bool may_pivot(const Point3& p) noexcept { return max_abs(p) <= k_max_pivot && !std::isnan(p.x + p.y + p.z); }

/// Not normalised; Pose::make does that.
Quaternion slerp(const Quaternion& p, Quaternion q, double t) noexcept {
  if (cosine_between(p, q) < 0) q = {-q.w, -q.x, -q.y, -q.z};  // the shorter arc
  // Half the angle from chord and bisector: accurate for every angle, and within [0, pi/4].
  const double ratio = length(weighted(1, p, -1, q)) / length(weighted(1, p, 1, q));
  SNUG_ASSERT(ratio >= 0);
  const double angle = 2 * arc_tangent_unit(std::min(ratio, 1.0));
  if (angle == 0) return p;
  return weighted(sine((1 - t) * angle), p, sine(t * angle), q);
}

}  // namespace

Result<Motion, MotionError> Motion::make(std::vector<PoseKey> keys, Arc arc) {
  if (const auto error = find_time_error(std::span<const PoseKey>(keys))) return Failure{*error};
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (!keys[i].pose.is_valid()) return Failure{MotionError{MotionError::Code::bad_pose, i}};
  if (arc == Arc::as_signed)
    for (std::size_t i = 1; i < keys.size(); ++i)
      if (cosine_between(keys[i - 1].pose.rotation(), keys[i].pose.rotation()) < 0)
        return Failure{MotionError{MotionError::Code::longer_arc, i}};
  Motion motion;
  motion.keys_ = std::move(keys);
  return motion;
}

Result<Motion, MotionError> Motion::make_about(const Point3& pivot, std::vector<PoseKey> keys, Arc arc) {
  auto motion = make(std::move(keys), arc);
  if (!motion || pivot == Point3{}) return motion;
  if (!may_pivot(pivot)) return Failure{MotionError{MotionError::Code::bad_turn}};
  for (std::size_t i = 0; i < motion->keys_.size(); ++i)
    if (!may_pivot(motion->keys_[i].pose.translation())) return Failure{MotionError{MotionError::Code::bad_turn, i}};
  motion->pivots_.assign(motion->keys_.size(), pivot);
  SNUG_ASSERT(motion->pivots_.size() == motion->keys_.size());
  return motion;
}

Motion Motion::rest(const Pose& pose) {
  Motion motion;
  motion.keys_ = {{0, pose}};
  return motion;
}

Result<Motion, MotionError> Motion::then(double t, const Turn& turn) const& { return Motion(*this).then(t, turn); }
Result<Motion, MotionError> Motion::then(double t, const Pose& pose, Arc arc) const& {
  return Motion(*this).then(t, pose, arc);
}

Result<Motion, MotionError> Motion::then(double t, const Turn& turn) && {
  using Code = MotionError::Code;
  if (const auto error = find_time_error(std::span<const PoseKey>(std::array{keys_.back(), PoseKey{t, {}}})))
    return Failure{MotionError{error->code, keys_.size()}};
  const std::size_t number = keys_.size();
  const Failure bad{MotionError{Code::bad_turn, number}};
  const double widest = max_abs(turn.direction);
  const double sum = (turn.direction.x + turn.direction.y) + turn.direction.z;
  if (!(widest > 0) || !std::isfinite(widest) || std::isnan(sum) || !(std::abs(turn.radians) <= k_max_turn)) return bad;
  const PoseKey from = keys_.back();
  if (!may_pivot(turn.point) || !(std::abs(turn.advance) <= k_max_pivot) || !may_pivot(from.pose.translation()))
    return bad;
  Vec3 axis = scale_to_one(widest) * turn.direction;
  axis = (1 / length_of(axis)) * axis;
  // Of all points on the axis the one next to the body's origin: the pivot's distance enters the resolution.
  const Vec3 to_body = from.pose.translation() - turn.point;
  const Point3 foot = turn.point + dot(axis, to_body) * axis;
  const Point3 pivot = unposed(from.pose, foot);
  // Quarter turns, so that slerp never has to choose between two arcs. Nearly one quarter is not made two.
  const auto pieces = static_cast<std::size_t>(std::max(1.0, std::ceil(std::abs(turn.radians) / (0.5 * k_pi) - 1e-9)));
  Motion out = std::move(*this);
  if (out.pivots_.empty()) out.pivots_.assign(out.keys_.size(), Point3{});
  out.pivots_.back() = pivot;
  for (std::size_t i = 1; i <= pieces; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(pieces);
    const double at = i == pieces ? t : from.t + share * (t - from.t);
    if (!(out.keys_.back().t < at && at <= t)) return Failure{MotionError{Code::times_not_rising, number}};
    const Pose turned = compose(rotation(axis, share * turn.radians), Pose::make(from.pose.rotation(), {}).value());
    const auto pose = Pose::make(turned.rotation(), (foot + (share * turn.advance) * axis) - turned.apply(pivot));
    if (!pose) return bad;
    out.keys_.push_back({at, *pose});
    out.pivots_.push_back(pivot);
  }
  return out;
}

Result<Motion, MotionError> Motion::then(double t, const Pose& pose, Arc arc) && {
  const auto last = make({keys_.back(), {t, pose}}, arc);
  if (!last) {
    const bool first_is_bad = last.error().code == MotionError::Code::bad_pose && last.error().key == 0;
    return Failure{MotionError{last.error().code, keys_.size() - (first_is_bad ? 1 : 0)}};
  }
  Motion out = std::move(*this);
  out.keys_.push_back({t, pose});
  if (!out.pivots_.empty()) out.pivots_.back() = {}, out.pivots_.push_back({});
  return out;
}

Pose Motion::at(double t) const noexcept {
  if (std::isnan(t)) return Pose::invalid();
  const auto [before, after, fraction] = between(std::span<const PoseKey>(keys_), t);
  if (before == after) return before->pose;
  // Keys that were carried or placed beyond all coordinates are invalid, and so is all between them.
  if (!before->pose.is_valid() || !after->pose.is_valid()) return Pose::invalid();
  const Quaternion turned = slerp(before->pose.rotation(), after->pose.rotation(), fraction);
  const Point3 pivot = this->pivot(static_cast<std::size_t>(before - keys_.data()));
  auto pose = Pose::make(
      turned, pivot == Point3{} ? lerp(before->pose.translation(), after->pose.translation(), fraction) : Vec3{});
  if (pose && pivot != Point3{})
    pose = Pose::make(pose->rotation(),
                      lerp(before->pose.apply(pivot), after->pose.apply(pivot), fraction) - pose->apply(pivot));
  SNUG_ASSERT(pose.has_value());
  return pose.value_or(before->pose);
}

Motion Motion::carrying(const Pose& inner) const {
  Motion out = *this;
  std::vector<Point3> pivots(keys_.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    out.keys_[i].pose = compose(keys_[i].pose, inner);
    // Without a rotation every point moves in a straight line, and the carried body's own origin will do.
    if (i + 1 < keys_.size() && keys_[i].pose.rotation() != keys_[i + 1].pose.rotation())
      pivots[i] = unposed(inner, pivot(i));
  }
  const bool any = std::ranges::any_of(pivots, [](const Point3& p) { return p != Point3{}; });
  out.pivots_ = any ? std::move(pivots) : std::vector<Point3>();
  return out;
}

Motion Motion::placed_by(const Pose& outer) const {
  Motion out = *this;
  for (PoseKey& key : out.keys_) key.pose = compose(outer, key.pose);
  return out;
}

Result<VertexMotion, MotionError> VertexMotion::make(std::vector<VertexKey> keys) {
  using Code = MotionError::Code;
  if (const auto error = find_time_error(std::span<const VertexKey>(keys))) return Failure{*error};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].vertices.size() != keys[0].vertices.size()) return Failure{MotionError{Code::vertex_count, i}};
    for (const Point3& v : keys[i].vertices)
      if (!(max_abs(v) <= k_max_coordinate) || std::isnan(v.x + v.y + v.z))
        return Failure{MotionError{Code::non_finite_vertex, i}};
  }
  VertexMotion motion;
  motion.keys_ = std::move(keys);
  return motion;
}

void VertexMotion::at(double t, std::span<Point3> out) const noexcept {
  if (std::isnan(t)) {
    std::ranges::fill(out, Point3{t, t, t});
    return;
  }
  const auto [before, after, fraction] = between(std::span<const VertexKey>(keys_), t);
  SNUG_ASSERT(out.size() == before->vertices.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = before == after ? before->vertices[i] : lerp(before->vertices[i], after->vertices[i], fraction);
}

}  // namespace snug
