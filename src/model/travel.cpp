#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"
#include "support/trig.hpp"

#include <snug/motion.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace snug {

namespace {

using namespace model;

/// What the body does from one key to the next: its pivot goes by `shift` while it turns by `angle` about `axis`.
struct Segment {
  Vec3 shift, axis;
  double angle = 0;
};

/// A rotation and the angle in [0, pi] by which it turns: along the shorter arc, as the motion does.
Segment segment_of(const PoseKey& from, const PoseKey& to, const Point3& pivot) noexcept {
  const Quaternion p = from.pose.rotation(), q = to.pose.rotation();
  const double w = (q.w * p.w + q.x * p.x) + (q.y * p.y + q.z * p.z);
  Vec3 v{((q.x * p.w - q.w * p.x) + q.z * p.y) - q.y * p.z, ((q.y * p.w - q.w * p.y) + q.x * p.z) - q.z * p.x,
         ((q.z * p.w - q.w * p.z) + q.y * p.x) - q.x * p.y};
  if (w < 0) v = -v;
  Segment out;
  out.shift = to.pose.apply(pivot) - from.pose.apply(pivot);
  // Quaternions that differ by rounding alone do not turn.
  if (const double length = length_of(v); length > 0x1p-50)
    out.axis = (1 / length) * v, out.angle = 2 * angle_of(std::abs(w), length);
  return out;
}

/// How far a point at `arm` from the pivot, at the first key, goes between two shares of the segment.
double length_within(const Segment& segment, const Vec3& arm, double from, double to) {
  const double straight = length_of(segment.shift);
  if (segment.angle == 0) return straight * (to - from);
  const Vec3 tangent = cross(segment.axis, arm), inward = cross(segment.axis, tangent);
  const double turning = segment.angle * length_of(tangent);
  const double along = 2 * segment.angle * dot(segment.shift, tangent),
               inwards = 2 * segment.angle * dot(segment.shift, inward);
  const double squares = straight * straight + turning * turning;
  // A screw, or a turn on the spot: the speed is the same throughout.
  if (std::abs(along) + std::abs(inwards) <= 0x1p-44 * squares) return std::sqrt(squares) * (to - from);
  constexpr std::array<double, 5> k_at{-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                       0.9061798459386640};
  constexpr std::array<double, 5> k_weight{0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                           0.4786286704993665, 0.2369268850561891};
  constexpr int k_panels = 8;
  const double half = 0.5 * (to - from) / k_panels;
  double sum = 0;
  for (int panel = 0; panel < k_panels; ++panel)
    for (std::size_t i = 0; i < k_at.size(); ++i) {
      const double angle = segment.angle * (from + half * (2 * panel + 1 + k_at[i]));
      sum += k_weight[i] * std::sqrt(std::max(0.0, squares + along * cosine(angle) + inwards * sine(angle)));
    }
  return half * sum;
}

}  // namespace

Travel travel(const Motion& motion, const Point3& point, double from, double to) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (std::isnan(from) || std::isnan(to)) return {infinity, infinity};
  Travel out;
  const auto keys = motion.keys();
  const auto first = std::ranges::upper_bound(keys, from, {}, &PoseKey::t);
  for (auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(first - keys.begin(), 1)); i < keys.size(); ++i) {
    const PoseKey &before = keys[i - 1], &after = keys[i];
    if (!(before.t < to)) break;
    // Large times are halved, so that no difference overflows; the smallest have no half.
    const double scale = std::max(std::abs(before.t), std::abs(after.t)) > 1 ? 0.5 : 1;
    const double whole = scale * after.t - scale * before.t;
    const auto share = [&](double t) { return std::clamp((scale * t - scale * before.t) / whole, 0.0, 1.0); };
    const double begin = share(from), end = share(to);
    SNUG_ASSERT(whole > 0);
    const Segment segment = segment_of(before, after, motion.pivot(i - 1));
    const Vec3 arm = before.pose.apply(point) - before.pose.apply(motion.pivot(i - 1));
    out.length += length_within(segment, arm, begin, end);
    out.radians += segment.angle * (end - begin);
  }
  return out;
}

std::vector<PoseKey> sampled_keys(const Motion& motion, double share) {
  std::vector<PoseKey> out;
  const auto keys = motion.keys();
  // An arc leaves its chord by 1 - cos of half its angle, which is less than half the square of that.
  const double step = 2 * std::sqrt(2 * std::max(share, 1e-6));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    out.push_back(keys[i]);
    if (i + 1 == keys.size() || motion.pivot(i) == Point3{}) continue;
    const double angle = segment_of(keys[i], keys[i + 1], motion.pivot(i)).angle;
    const int pieces = static_cast<int>(std::ceil(angle / step));
    for (int k = 1; k < pieces; ++k) {
      const double s = static_cast<double>(k) / pieces, t = (1 - s) * keys[i].t + s * keys[i + 1].t;
      if (out.back().t < t && t < keys[i + 1].t) out.push_back({t, motion.at(t)});
    }
  }
  return out;
}

}  // namespace snug
