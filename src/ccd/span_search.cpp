#include "ccd/span_search.hpp"

#include "geometry/closest_points.hpp"
#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <array>
#include <cmath>

// Two sets are apart all through a span if along some direction the gap between them in its middle exceeds what both can gain on
// it. For a direction that faces share it is nothing, however far they slide.

namespace snug::detail {

namespace {

constexpr double k_rounding = 1 - 0x1p-40;

Vec3 column(const Pose& pose, std::size_t i) noexcept {
  const auto& m = pose.matrix();
  return {m[i], m[3 + i], m[6 + i]};
}

Vec3 turned(const Pose& pose, const Vec3& v) noexcept {
  const auto& m = pose.matrix();
  return {(m[0] * v.x + m[1] * v.y) + m[2] * v.z, (m[3] * v.x + m[4] * v.y) + m[5] * v.z,
          (m[6] * v.x + m[7] * v.y) + m[8] * v.z};
}

double extent_along(const Pose& pose, const Vec3& half, const Vec3& n) noexcept {
  return std::abs(dot(n, column(pose, 0))) * half.x + std::abs(dot(n, column(pose, 1))) * half.y +
         std::abs(dot(n, column(pose, 2))) * half.z;
}

/// The most of n·x over a triangle and the span; `now`: in its middle.
double highest(const Triangle& t, const SpanMotion& motion, const Vec3& n, double now) noexcept {
  if (!motion.turns()) return now + motion.towards(n, {}, 0);
  const Vec3 origin = motion.origin;
  double most = -std::numeric_limits<double>::infinity();
  for (const Point3& p : t.corner) most = std::max(most, dot(n, p) + motion.towards(n, p - origin, 0));
  return most;
}

/// Gaps between two triangles along directions, and what is left of them all through the span.
class Gaps {
 public:
  Gaps(const Triangle& a, const SpanMotion& of_a, const Triangle& b, const SpanMotion& of_b, double enough) noexcept
      : a_(a), b_(b), of_a_(of_a), of_b_(of_b), between_(middle_of(b) - middle_of(a)), enough_(enough) {}

  /// The largest in the middle.
  [[nodiscard]] double in_the_middle() const noexcept { return middle_; }

  /// True if what is left along v, of any length, is enough.
  bool along(const Vec3& v) noexcept {
    // Which way b lies, by the middles; the other way there can be no gap.
    const Vec3 way = dot(v, between_) < 0 ? -v : v;
    const double most_a = std::max({dot(way, a_[0]), dot(way, a_[1]), dot(way, a_[2])});
    const double least_b = std::min({dot(way, b_[0]), dot(way, b_[1]), dot(way, b_[2])});
    if (!(least_b > most_a)) return false;
    const double length = length_of(way);
    if (!(length > 0) || !std::isfinite(length)) return false;
    const double gap = (least_b - most_a) / length * k_rounding;
    middle_ = std::max(middle_, gap - of_a_.slack - of_b_.slack);
    if (!(gap > enough_) || !(gap > throughout_)) return false;
    const Vec3 n = (1 / length) * way;
    const double left = -highest(b_, of_b_, -n, -least_b / length) - highest(a_, of_a_, n, most_a / length);
    throughout_ = std::max(throughout_, left * k_rounding);
    return throughout_ > enough_;
  }

 private:
  const Triangle &a_, &b_;
  const SpanMotion &of_a_, &of_b_;
  Vec3 between_;
  double enough_, middle_ = 0, throughout_ = 0;
};

}  // namespace

std::vector<OpenPair> SpanSearch::everything() const {
  if (a_->empty() || b_->empty()) return {};
  return {{0, 0}};
}

SpanPair SpanSearch::over(const TimeSpan& span) const {
  SpanPair out{span, span.begin + 0.5 * (span.end - span.begin), {}, {}};
  if (span.begin < span.end && moves_along(*way_a_, *way_b_, span)) {
    out.a = way_a_->over({out.middle, out.middle});
    out.b = way_b_->over({out.middle, out.middle});
  } else {
    out.a = way_a_->over(span);
    out.b = way_b_->over(span);
  }
  return out;
}

double SpanSearch::nodes_apart(const SpanPair& motion, OpenPair nodes, double enough, double& motion_of) const {
  ++pairs_;
  const NodeBox &a = a_->node(nodes.a), &b = b_->node(nodes.b);
  const Vec3 arm_a = turned(motion.a.middle, a.middle - motion.a.pivot),
             arm_b = turned(motion.b.middle, b.middle - motion.b.pivot);
  const Vec3 between = (motion.b.origin - motion.a.origin) + (arm_b - arm_a);
  const double distance = length_of(between);
  motion_of = motion.a.most(length_of(arm_a) + a.radius) + motion.b.most(length_of(arm_b) + b.radius);
  double best = (distance - a.radius - b.radius - motion_of) * k_rounding;
  if (best > enough) return best;
  const auto try_along = [&](const Vec3& axis, double extent_a, double extent_b) {
    const double along = dot(axis, between);
    const double gap = std::abs(along) - extent_a - extent_b;
    if (!(gap > enough) || !(gap > best)) return false;
    const Vec3 n = along < 0 ? -axis : axis;
    const double left = gap - motion.a.towards(n, arm_a, a.radius) - motion.b.towards(-n, arm_b, b.radius);
    best = std::max(best, left * k_rounding);
    return best > enough;
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

bool SpanSearch::apart(const SpanPair& motion, const Triangle& a, const Triangle& b, double enough,
                       bool& may_meet_in_the_middle) const {
  ++pairs_;
  Gaps gaps(a, motion.a, b, motion.b, enough);
  may_meet_in_the_middle = false;
  const std::array<Vec3, 3> edges_a{a[1] - a[0], a[2] - a[1], a[0] - a[2]};
  const std::array<Vec3, 3> edges_b{b[1] - b[0], b[2] - b[1], b[0] - b[2]};
  const Vec3 normal_a = cross(edges_a[0], edges_a[1]), normal_b = cross(edges_b[0], edges_b[1]);
  if (gaps.along(normal_a) || gaps.along(normal_b)) return true;
  for (const Vec3& e : edges_a)
    for (const Vec3& f : edges_b)
      if (gaps.along(cross(e, f))) return true;
  // Edges of flat triangles side by side.
  for (std::size_t i = 0; i < 3; ++i)
    if (gaps.along(cross(normal_a, edges_a[i])) || gaps.along(cross(normal_b, edges_b[i]))) return true;
  // If there is no gap at all, they meet. Where corners are closest, no face or edge tells the direction.
  may_meet_in_the_middle = true;
  if (!(gaps.in_the_middle() > 0)) return false;
  Vec3 shortest;
  double squared = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i)
    for (const Vec3& d : {closest_point(a[i], b) - a[i], b[i] - closest_point(b[i], a)})
      if (const double s = dot(d, d); s < squared) squared = s, shortest = d;
  const bool told = gaps.along(shortest);
  may_meet_in_the_middle = !(gaps.in_the_middle() > enough);
  return told;
}

void SpanSearch::open(OpenPair nodes, std::vector<OpenPair>& into) const {
  const AabbTree::Node &a = a_->tree().nodes[nodes.a], &b = b_->tree().nodes[nodes.b];
  if (a.leaf() && b.leaf()) {
    for (std::uint32_t i = b.end; i-- > b.begin;)
      for (std::uint32_t k = a.end; k-- > a.begin;)
        into.push_back({a_->tree().order[k] | OpenPair::k_triangle, b_->tree().order[i] | OpenPair::k_triangle});
    return;
  }
  if (b.leaf() || (!a.leaf() && a_->node(nodes.a).radius >= b_->node(nodes.b).radius)) {
    into.push_back({a.right, nodes.b});
    into.push_back({nodes.a + 1, nodes.b});
  } else {
    into.push_back({nodes.a, b.right});
    into.push_back({nodes.a, nodes.b + 1});
  }
}

OpenPairs SpanSearch::still_open(const SpanPair& motion, const Question& question,
                                 const std::vector<OpenPair>& pairs) const {
  OpenPairs out;
  // Back to front, so that what is left keeps its order.
  std::vector<OpenPair> stack(pairs.rbegin(), pairs.rend());
  while (!stack.empty()) {
    const OpenPair pair = stack.back();
    stack.pop_back();
    if (pair.of_triangles()) {
      const std::uint32_t ta = pair.triangle_a(), tb = pair.triangle_b();
      if (!question.asks_for(ta, tb)) continue;
      const Triangle a = posed(a_->triangle(ta), motion.a.middle), b = posed(b_->triangle(tb), motion.b.middle);
      bool may_meet = true;
      if (apart(motion, a, b, question.distance, may_meet)) continue;
      out.pairs.push_back(pair);
      if (!may_meet || out.in_the_middle) continue;
      if (question.crossing) {
        if (relation(a, b) == Relation::crossing) {
          const TriangleIntersection shared = intersection(a, b);
          const Point3 at = shared.count > 1 ? 0.5 * shared.corner[0] + 0.5 * shared.corner[1] : shared.corner[0];
          out.in_the_middle = SpanMeeting{motion.middle, ta, tb, 0, at, at};
        }
        continue;
      }
      const ClosestPoints closest = closest_points(a, b);
      if (closest.distance <= question.distance)
        out.in_the_middle = SpanMeeting{motion.middle, ta, tb, closest.distance, closest.on_a, closest.on_b};
      continue;
    }
    if (look_at_nodes(motion, pair, question.distance, stack) == Fate::left) out.pairs.push_back(pair);
  }
  return out;
}

bool SpanSearch::wants_shorter_span(const SpanPair& motion, OpenPair nodes, double motion_of) const noexcept {
  return motion_of > 4 * std::max(a_->node(nodes.a).radius, b_->node(nodes.b).radius) &&
         motion.span.begin < motion.span.end;
}

SpanSearch::Fate SpanSearch::look_at_nodes(const SpanPair& motion, OpenPair nodes, double enough,
                                           std::vector<OpenPair>& stack) const {
  double moves = 0;
  if (nodes_apart(motion, nodes, enough, moves) > enough) return Fate::apart;
  if (wants_shorter_span(motion, nodes, moves)) return Fate::left;
  open(nodes, stack);
  return Fate::opened;
}

std::vector<OpenPair> SpanSearch::first_open(const SpanPair& motion, const Question& question,
                                             const std::vector<OpenPair>& pairs) const {
  std::vector<OpenPair> stack(pairs.rbegin(), pairs.rend());
  while (!stack.empty()) {
    const OpenPair pair = stack.back();
    stack.pop_back();
    bool left = false, may_meet = false;
    if (pair.of_triangles())
      left = question.asks_for(pair.triangle_a(), pair.triangle_b()) &&
             !apart(motion, posed(a_->triangle(pair.triangle_a()), motion.a.middle),
                    posed(b_->triangle(pair.triangle_b()), motion.b.middle), question.distance, may_meet);
    else
      left = look_at_nodes(motion, pair, question.distance, stack) == Fate::left;
    if (!left) continue;
    stack.push_back(pair);
    return {stack.rbegin(), stack.rend()};
  }
  return {};
}

std::optional<SpanMeeting> SpanSearch::any_meeting_at(double t, const Question& question,
                                                      const std::vector<OpenPair>& pairs) const {
  return question.crossing ? meeting_at(t, question, pairs) : closest_at(t, question.distance, pairs, true);
}

std::optional<SpanMeeting> SpanSearch::meeting_at(double t, const Question& question,
                                                  const std::vector<OpenPair>& pairs) const {
  if (!question.crossing) return closest_at(t, question.distance, pairs);
  const SpanPair motion = over({t, t});
  std::vector<OpenPair> stack(pairs.rbegin(), pairs.rend());
  while (!stack.empty()) {
    const OpenPair pair = stack.back();
    stack.pop_back();
    if (!pair.of_triangles()) {
      double moves = 0;
      if (!(nodes_apart(motion, pair, 0, moves) > 0)) open(pair, stack);
      continue;
    }
    const std::uint32_t ta = pair.triangle_a(), tb = pair.triangle_b();
    if (!question.asks_for(ta, tb)) continue;
    const Triangle a = posed(a_->triangle(ta), motion.a.middle), b = posed(b_->triangle(tb), motion.b.middle);
    ++pairs_;
    if (relation(a, b) != Relation::crossing) continue;
    const TriangleIntersection shared = intersection(a, b);
    const Point3 at = shared.count > 1 ? 0.5 * shared.corner[0] + 0.5 * shared.corner[1] : shared.corner[0];
    return SpanMeeting{t, ta, tb, 0, at, at};
  }
  return std::nullopt;
}

std::optional<SpanMeeting> SpanSearch::closest_at(double t, double within, const std::vector<OpenPair>& pairs) const {
  return closest_at(t, within, pairs, false);
}

std::optional<SpanMeeting> SpanSearch::closest_at(double t, double within, const std::vector<OpenPair>& pairs,
                                                  bool any) const {
  const SpanPair motion = over({t, t});
  std::optional<SpanMeeting> best;
  double limit = within;
  std::vector<OpenPair> stack(pairs.rbegin(), pairs.rend());
  while (!stack.empty()) {
    const OpenPair pair = stack.back();
    stack.pop_back();
    if (!pair.of_triangles()) {
      double moves = 0;
      if (!(nodes_apart(motion, pair, limit, moves) > limit)) open(pair, stack);
      continue;
    }
    const std::uint32_t ta = pair.triangle_a(), tb = pair.triangle_b();
    const Triangle a = posed(a_->triangle(ta), motion.a.middle), b = posed(b_->triangle(tb), motion.b.middle);
    ++pairs_;
    const Approach nearest = approach(a, b, limit);
    if (nearest.beyond || !(nearest.points.distance <= limit)) continue;
    if (best && nearest.points.distance == best->distance) continue;
    best = SpanMeeting{t, ta, tb, nearest.points.distance, nearest.points.on_a, nearest.points.on_b};
    limit = nearest.points.distance;
    if (any || limit == 0) break;
  }
  return best;
}

bool point_keeps_away(const Vec3& arm, const SpanMotion& of_point, const BoxedMesh& body, const SpanMotion& of_body) {
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
    const Vec3 other = turned(of_body.middle, node.middle - of_body.pivot);
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

}  // namespace snug::detail
