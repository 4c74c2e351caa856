#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"
#include "support/trig.hpp"

#include <snug/motion.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace snug {

namespace {

using namespace detail;

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

/// Not normalised; Pose::make does that.
Quaternion slerp(const Quaternion& p, Quaternion q, double t) noexcept {
  const double cosine = (p.w * q.w + p.x * q.x) + (p.y * q.y + p.z * q.z);
  if (cosine < 0) q = {-q.w, -q.x, -q.y, -q.z};  // the shorter arc
  // Half the angle from chord and bisector: accurate for every angle, and within [0, pi/4].
  const double ratio = length(weighted(1, p, -1, q)) / length(weighted(1, p, 1, q));
  const double angle = 2 * arc_tangent_unit(std::min(ratio, 1.0));
  if (angle == 0) return p;
  return weighted(sine((1 - t) * angle), p, sine(t * angle), q);
}

}  // namespace

Result<Motion, MotionError> Motion::make(std::vector<PoseKey> keys) {
  if (const auto error = find_time_error(std::span<const PoseKey>(keys))) return Failure{*error};
  Motion motion;
  motion.keys_ = std::move(keys);
  return motion;
}

Motion Motion::rest(const Pose& pose) {
  Motion motion;
  motion.keys_ = {{0, pose}};
  return motion;
}

Pose Motion::at(double t) const noexcept {
  const auto [before, after, fraction] = between(std::span<const PoseKey>(keys_), t);
  if (before == after) return before->pose;
  const auto pose = Pose::make(slerp(before->pose.rotation(), after->pose.rotation(), fraction),
                               lerp(before->pose.translation(), after->pose.translation(), fraction));
  SNUG_ASSERT(pose.has_value());
  return pose.value_or(before->pose);
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
  const auto [before, after, fraction] = between(std::span<const VertexKey>(keys_), t);
  SNUG_ASSERT(out.size() == before->vertices.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = before == after ? before->vertices[i] : lerp(before->vertices[i], after->vertices[i], fraction);
}

}  // namespace snug
