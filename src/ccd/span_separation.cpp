#include "ccd/span_separation.hpp"

#include "ccd/moving_body.hpp"
#include "ccd/separating_axis.hpp"
#include "geometry/point_triangle.hpp"
#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace snug::ccd {

namespace {

constexpr double k_rounding = 1 - 0x1p-40;

Vec3 column(const Pose& pose, std::size_t i) noexcept {
  const auto& m = pose.matrix();
  return {m[i], m[3 + i], m[6 + i]};
}

double extent_along(const Pose& pose, const Vec3& half, const Vec3& n) noexcept {
  return std::abs(dot(n, column(pose, 0))) * half.x + std::abs(dot(n, column(pose, 1))) * half.y +
         std::abs(dot(n, column(pose, 2))) * half.z;
}

/// The most of n·x over a triangle and the span; `now`: in its middle.
double highest(const Triangle& t, const MotionBound& motion, const Vec3& n, double now) noexcept {
  if (!motion.turns()) return now + motion.towards(n, {}, 0);
  const Vec3 origin = motion.origin;
  double most = -std::numeric_limits<double>::infinity();
  for (const Point3& p : t.corner) most = std::max(most, dot(n, p) + motion.towards(n, p - origin, 0));
  return most;
}

/// Gaps between two triangles along directions, and what is left of them all through the span.
class Gaps {
 public:
  Gaps(const Triangle& a, const MotionBound& of_a, const Triangle& b, const MotionBound& of_b, double enough) noexcept
      : a_(a), b_(b), of_a_(of_a), of_b_(of_b), between_(middle_of(b) - middle_of(a)), enough_(enough) {}

  /// The largest in the middle.
  [[nodiscard]] double in_the_middle() const noexcept { return middle_; }

  /// True if what is left along v, of any length, is enough.
  bool along(const Vec3& v) noexcept {
    // From a to b, by the middles; the other way there can be no gap.
    const Vec3 axis = dot(v, between_) < 0 ? -v : v;
    const double most_a = std::max({dot(axis, a_[0]), dot(axis, a_[1]), dot(axis, a_[2])});
    const double least_b = std::min({dot(axis, b_[0]), dot(axis, b_[1]), dot(axis, b_[2])});
    if (!(least_b > most_a)) return false;
    const double length = length_of(axis);
    if (!(length > 0) || !std::isfinite(length)) return false;
    const double gap = (least_b - most_a) / length * k_rounding;
    middle_ = std::max(middle_, gap - of_a_.slack - of_b_.slack);
    if (!(gap > enough_) || !(gap > throughout_)) return false;
    const Vec3 n = (1 / length) * axis;
    const double left = -highest(b_, of_b_, -n, -least_b / length) - highest(a_, of_a_, n, most_a / length);
    throughout_ = std::max(throughout_, left * k_rounding);
    return throughout_ > enough_;
  }

 private:
  const Triangle &a_, &b_;
  const MotionBound &of_a_, &of_b_;
  Vec3 between_;
  double enough_, middle_ = 0, throughout_ = 0;
};

}  // namespace

NodeSeparation separation(const PairMotion& motion, const BoxedMesh& mesh_a, std::uint32_t node_a,
                          const BoxedMesh& mesh_b, std::uint32_t node_b, double enough) {
  const NodeBox &a = mesh_a.node(node_a), &b = mesh_b.node(node_b);
  const Vec3 arm_a = turn(motion.a.middle.matrix(), a.middle - motion.a.pivot);
  const Vec3 arm_b = turn(motion.b.middle.matrix(), b.middle - motion.b.pivot);
  const Vec3 between = (motion.b.origin - motion.a.origin) + (arm_b - arm_a);
  const double distance = length_of(between);
  NodeSeparation best;
  best.motion = motion.a.most(length_of(arm_a) + a.radius) + motion.b.most(length_of(arm_b) + b.radius);
  best.gap = (distance - a.radius - b.radius - best.motion) * k_rounding;
  if (best.gap > enough) return best;
  const auto try_along = [&](const Vec3& axis, double extent_a, double extent_b) {
    const double along = dot(axis, between);
    const double gap = std::abs(along) - extent_a - extent_b;
    if (!(gap > enough) || !(gap > best.gap)) return false;
    const Vec3 n = along < 0 ? -axis : axis;
    const double left = gap - motion.a.towards(n, arm_a, a.radius) - motion.b.towards(-n, arm_b, b.radius);
    best.gap = std::max(best.gap, left * k_rounding);
    return best.gap > enough;
  };
  if (distance > 0 && try_along((1 / distance) * between, a.radius, b.radius)) return best;
  std::array<Vec3, 3> axes_a, axes_b;
  for (std::size_t i = 0; i < 3; ++i) axes_a[i] = column(motion.a.middle, i), axes_b[i] = column(motion.b.middle, i);
  for (std::size_t i = 0; i < 3; ++i)
    if (try_along(axes_a[i], a.half[i], extent_along(motion.b.middle, b.half, axes_a[i]))) return best;
  for (std::size_t i = 0; i < 3; ++i)
    if (try_along(axes_b[i], extent_along(motion.a.middle, a.half, axes_b[i]), b.half[i])) return best;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const Vec3 c = cross(axes_a[i], axes_b[j]);
      const double length = length_of(c);
      if (length < 1e-3) continue;
      const Vec3 n = (1 / length) * c;
      if (try_along(n, extent_along(motion.a.middle, a.half, n), extent_along(motion.b.middle, b.half, n))) return best;
    }
  return best;
}

TriangleSeparation separation(const PairMotion& motion, const Triangle& a, const Triangle& b, double enough) {
  Gaps gaps(a, motion.a, b, motion.b, enough);
  constexpr TriangleSeparation apart{true, false}, open{false, true};
  const std::array<Vec3, 3> edges_a{a[1] - a[0], a[2] - a[1], a[0] - a[2]};
  const std::array<Vec3, 3> edges_b{b[1] - b[0], b[2] - b[1], b[0] - b[2]};
  const Vec3 normal_a = cross(edges_a[0], edges_a[1]), normal_b = cross(edges_b[0], edges_b[1]);
  if (gaps.along(normal_a) || gaps.along(normal_b)) return apart;
  for (const Vec3& e : edges_a)
    for (const Vec3& f : edges_b)
      if (gaps.along(cross(e, f))) return apart;
  // Edges of flat triangles side by side.
  for (std::size_t i = 0; i < 3; ++i)
    if (gaps.along(cross(normal_a, edges_a[i])) || gaps.along(cross(normal_b, edges_b[i]))) return apart;
  // If there is no gap at all, they meet. Where corners are closest, no face or edge has the direction.
  if (!(gaps.in_the_middle() > 0)) return open;
  const bool found = gaps.along(from_closest_corner(a, b));
  return {found, !(gaps.in_the_middle() > enough)};
}

bool point_keeps_away(const Vec3& arm, const MotionBound& of_point, const BoxedMesh& body, const MotionBound& of_body) {
  const Point3 point = of_point.origin + arm;
  std::vector<std::uint32_t> stack;
  if (!body.empty()) stack.push_back(0);
  const auto clear_along = [&](const Vec3& n, double gap, const Vec3& other, double radius) {
    return gap > 0 && gap * k_rounding > of_point.towards(n, arm, 0) + of_body.towards(-n, other, radius);
  };
  while (!stack.empty()) {
    const std::uint32_t id = stack.back();
    stack.pop_back();
    const NodeBox& node = body.node(id);
    const Vec3 other = turn(of_body.middle.matrix(), node.middle - of_body.pivot);
    const Vec3 between = (of_body.origin + other) - point;
    const double distance = length_of(between);
    if (distance > 0 && clear_along((1 / distance) * between, distance - node.radius, other, node.radius)) continue;
    bool clear = false;
    for (std::size_t i = 0; i < 3 && !clear; ++i) {
      const Vec3 axis = column(of_body.middle, i);
      const double along = dot(axis, between);
      clear = clear_along(along < 0 ? -axis : axis, std::abs(along) - node.half[i], other, node.radius);
    }
    if (clear) continue;
    const AabbTree::Node& range = body.tree().nodes[id];
    if (!range.leaf()) {
      stack.push_back(range.right);
      stack.push_back(id + 1);
      continue;
    }
    for (std::uint32_t k = range.begin; k < range.end; ++k) {
      const Triangle t = posed(body.triangle(body.tree().order[k]), of_body.middle);
      const Triangle p{{point, point, point}};
      const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
      Gaps gaps(p, of_point, t, of_body, 0);
      const auto keeps = [&](const Vec3& n) { return gaps.along(n); };
      if (keeps(normal) || keeps(closest_point(point, t) - point)) continue;
      bool beside = false;
      for (std::size_t i = 0; i < 3 && !beside; ++i) beside = keeps(cross(normal, t[(i + 1) % 3] - t[i]));
      if (!beside) return false;
    }
  }
  return true;
}

}  // namespace snug::ccd
