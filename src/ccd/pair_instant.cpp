#include "ccd/pair_instant.hpp"

#include "ccd/separating_axis.hpp"
#include "ccd/sweep/swept_hull.hpp"
#include "geometry/closest_points.hpp"

#include <snug/sweep.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::ccd {

namespace {

/// Nodes and triangles are put off rather than looked into while the gap is more than this of their size. Small: it costs less to come
/// back to a pair than to look at all that is in it.
constexpr double k_far = 0.01, k_far_triangles = 0.2;
/// The same for nodes that hold no more than k_few pairs of triangles: looking at them whole is nearly as good.
constexpr double k_far_few = 1e-5;
constexpr std::uint32_t k_few = 256;

double reach_of(const Triangle& arms) noexcept {
  return std::sqrt(std::max({dot(arms[0], arms[0]), dot(arms[1], arms[1]), dot(arms[2], arms[2])})) * (1 + 0x1p-48);
}

}  // namespace

PairInstant::PairInstant(MovingBody& a, MovingBody& b, const RelativeMotion& motion,
                         const ContactResolution& resolution, double range_end) noexcept
    : a_(a),
      b_(b),
      motion_(motion),
      resolution_(resolution),
      range_end_(range_end),
      margin_(resolution.margin()),
      product_slack_(0x1p-46 * resolution.farthest) {}

void PairInstant::move_to(double t) noexcept {
  t_ = t;
  at_ = motion_.piece_at(t);
  piece_ = &motion_.piece(at_);
  a_.move_to(t, piece_->pivot_a), b_.move_to(t, piece_->pivot_b);
  between_ = b_.origin() - a_.origin();
  apart_ = length_of(between_);
  rest_ = std::min(piece_->end, range_end_) - t;
  drift_rate_ = length_of(piece_->drift);
  turn_ = piece_->spin_b - piece_->spin_a;
  drift_in_a_ = piece_->drift - cross(piece_->spin_a, between_);
  drift_in_b_ = piece_->drift - cross(piece_->spin_b, between_);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      cosine_[i][k] = dot(a_.axis(i), b_.axis(k));
      positive_[i][k] = std::abs(cosine_[i][k]);
    }
}

/// All but the gaps. For a direction that turns with a, the points of b are what moves: with x seen from b's pivot at the speed
/// drift_in_a + turn × x. Their acceleration there is their own, Coriolis' and that of a's turning.
inline ApproachBound PairInstant::approach_bound(const Vec3& n, Fixed fixed, double reach_a,
                                                 double reach_b) const noexcept {
  ApproachBound c;
  c.direction = n;
  c.reach_a = reach_a, c.reach_b = reach_b;
  const double spin_a = piece_->spin_rate_a, spin_b = piece_->spin_rate_b;
  const bool in_a = fixed == Fixed::in_a;
  const double held = in_a ? spin_a : spin_b, moving = in_a ? spin_b : spin_a, reach = in_a ? reach_b : reach_a;
  c.bend = moving * moving * reach;
  if (held > 0) {
    const double speed = drift_rate_ + moving * reach;
    c.bend += held * (2 * speed + held * (apart_ + reach + speed * rest_));
  }
  c.bend *= 1 + 0x1p-40;
  c.most = (spin_a * reach_a + spin_b * reach_b) + (piece_->slack - dot(n, piece_->drift));
  return c;
}

double PairInstant::clear_until(const Gap& gap, const NodeBox& a, const Vec3& arm_a, const NodeBox& b,
                                const Vec3& arm_b) const noexcept {
  ApproachBound c = approach_bound(gap.direction, gap.fixed, a_.reach_of(a, arm_a), b_.reach_of(b, arm_b));
  const Vec3 across = cross(gap.direction, turn_);
  const bool in_a = gap.fixed == Fixed::in_a;
  const double rate = dot(gap.direction, in_a ? drift_in_a_ : drift_in_b_) + dot(in_a ? arm_b : arm_a, across) -
                      (in_a ? b.radius : a.radius) * length_of(across) - piece_->slack;
  c.count = 1;
  c.gaps[0] = {gap.width, rate};
  return motion_.clear_until(t_, at_, c);
}

/// The direction across a side that separates the boxes most. `between`: from middle to middle, along the axes of a.
inline PairInstant::Gap PairInstant::widest_along_sides(const std::array<double, 3>& between, const NodeBox& a,
                                                        const NodeBox& b) const noexcept {
  Gap best;
  for (std::size_t i = 0; i < 3; ++i) {
    const double gap_a = std::abs(between[i]) - a.half[i] - margin_ -
                         (positive_[i][0] * b.half.x + positive_[i][1] * b.half.y + positive_[i][2] * b.half.z);
    if (gap_a > best.width) best = {gap_a, between[i] < 0 ? -a_.axis(i) : a_.axis(i), Fixed::in_a};
    const double in_b = between[0] * cosine_[0][i] + between[1] * cosine_[1][i] + between[2] * cosine_[2][i];
    const double gap_b = std::abs(in_b) - b.half[i] - margin_ -
                         (positive_[0][i] * a.half.x + positive_[1][i] * a.half.y + positive_[2][i] * a.half.z);
    if (gap_b > best.width) best = {gap_b, in_b < 0 ? -b_.axis(i) : b_.axis(i), Fixed::in_b};
  }
  return best;
}

/// The same across an edge of each.
inline PairInstant::Gap PairInstant::widest_across_edges(const std::array<double, 3>& between, const NodeBox& a,
                                                         const NodeBox& b) const noexcept {
  Gap best;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (std::size_t k = 0; k < 3; ++k) {
      // a's axis i times b's axis k has, in a's frame, nothing along i.
      const double along1 = -cosine_[i2][k], along2 = cosine_[i1][k];
      const double squared = along1 * along1 + along2 * along2;
      if (squared < 1e-4) continue;
      const std::size_t k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      const double middles = between[i1] * along1 + between[i2] * along2;
      const double gap = std::abs(middles) - (a.half[i1] * positive_[i2][k] + a.half[i2] * positive_[i1][k]) -
                         (b.half[k1] * positive_[i][k2] + b.half[k2] * positive_[i][k1]);
      if (!(gap > 0)) continue;
      // What rounding takes off the gap grows as the product of the axes gets shorter.
      const double length = std::sqrt(squared), by = (gap - product_slack_) / length - margin_;
      if (!(by > best.width)) continue;
      best.width = by;
      best.direction = (middles < 0 ? -1 / length : 1 / length) * (along1 * a_.axis(i1) + along2 * a_.axis(i2));
    }
  }
  return best;
}

std::optional<double> PairInstant::nodes_clear_until(OpenPair nodes, double last) const noexcept {
  const NodeBox &a = a_.mesh().node(nodes.a), &b = b_.mesh().node(nodes.b);
  const Vec3 arm_a = a_.arm_of(a.middle), arm_b = b_.arm_of(b.middle);
  const Vec3 between = between_ + (arm_b - arm_a);
  const Fixed in_larger = a.radius < b.radius ? Fixed::in_b : Fixed::in_a;
  double widest = 0, until = t_;
  if (const double distance = length_of(between); distance > 0) {
    const Vec3 n = (1 / distance) * between;
    const double gap = distance - std::min(a.radius, a_.extent(a, n)) - std::min(b.radius, b_.extent(b, n)) - margin_;
    if (gap > 0) {
      until = clear_until({gap, n, in_larger}, a, arm_a, b, arm_b);
      if (until > last) return until;
      widest = gap;
    }
  }
  const std::array<double, 3> in_a{dot(a_.axis(0), between), dot(a_.axis(1), between), dot(a_.axis(2), between)};
  if (const Gap sides = widest_along_sides(in_a, a, b); sides.width > 0) {
    until = std::max(until, clear_until(sides, a, arm_a, b, arm_b));
    if (until > last) return until;
    widest = std::max(widest, sides.width);
  }
  const std::uint64_t triangle_pairs =
      std::uint64_t{a_.mesh().tree().nodes[nodes.a].size()} * b_.mesh().tree().nodes[nodes.b].size();
  const double far = (triangle_pairs <= k_few ? k_far_few : k_far) * (a.radius + b.radius);
  if (!(widest > far)) {
    Gap edges = widest_across_edges(in_a, a, b);
    if (edges.width > std::max(widest, far)) {
      edges.fixed = in_larger;
      until = std::max(until, clear_until(edges, a, arm_a, b, arm_b));
      if (until > last) return until;
      widest = edges.width;
    }
  }
  if (until > t_ && widest > far) return until;
  return std::nullopt;
}

/// Until when a direction that separates two triangles does so, whichever body it turns with.
double PairInstant::clear_until(const Vec3& n, const Arms& t, double last) const noexcept {
  const Vec3 across = cross(n, turn_);
  const double shift = dot(n, between_);
  const std::array<double, 3> at_a{dot(n, t.a[0]), dot(n, t.a[1]), dot(n, t.a[2])};
  const std::array<double, 3> at_b{dot(n, t.b[0]) + shift, dot(n, t.b[1]) + shift, dot(n, t.b[2]) + shift};
  const double end_a = std::max({at_a[0], at_a[1], at_a[2]}), end_b = std::min({at_b[0], at_b[1], at_b[2]});
  if (!(end_b - end_a > margin_)) return t_;
  ApproachBound in_a = approach_bound(n, Fixed::in_a, t.reach_a, t.reach_b);
  ApproachBound in_b = approach_bound(n, Fixed::in_b, t.reach_a, t.reach_b);
  const double drift_a = dot(n, drift_in_a_) - piece_->slack, drift_b = dot(n, drift_in_b_) - piece_->slack;
  in_a.count = in_b.count = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    in_a.gaps[i] = {at_b[i] - end_a - margin_, drift_a + dot(t.b[i], across)};
    in_b.gaps[i] = {end_b - at_a[i] - margin_, drift_b + dot(t.a[i], across)};
  }
  const double until = motion_.clear_until(t_, at_, in_a);
  return until > last ? until : std::max(until, motion_.clear_until(t_, at_, in_b));
}

PairInstant::Triangles PairInstant::look_at_triangles(OpenPair triangles, double last) const noexcept {
  Arms t{a_.arms_of(triangles.triangle_a()), b_.arms_of(triangles.triangle_b()), 0, 0};
  t.reach_a = reach_of(t.a), t.reach_b = reach_of(t.b);
  const Triangle b{{t.b[0] + between_, t.b[1] + between_, t.b[2] + between_}};
  const Vec3 middles = middle_of(b) - middle_of(t.a);
  SeparatingAxis best;
  separate_along(middles, t.a, b, best);
  double until = t_;
  if (best.gap * best.gap > k_far_triangles * k_far_triangles * dot(middles, middles)) {
    // Triangles that are far apart need no better direction yet.
    until = clear_until(best.direction, t, last);
    if (until > t_) return {until, {}};
  }
  separate_widest(t.a, b, k_far_triangles, best);
  if (best.gap > margin_ + 0.5 * resolution_.tolerance()) until = clear_until(best.direction, t, last);
  if (until > t_) return {until, {}};
  return look_closely(triangles, t, last);
}

/// The same by the closest points.
PairInstant::Triangles PairInstant::look_closely(OpenPair triangles, const Arms& t, double last) const noexcept {
  const std::uint32_t ta = triangles.triangle_a(), tb = triangles.triangle_b();
  const geometry::Approach nearest =
      approach(a_.triangle(ta), b_.triangle(tb), std::numeric_limits<double>::infinity());
  const double distance = nearest.points.distance;
  if (distance > resolution_.separation + resolution_.tolerance()) {
    const double until = std::max(clear_until(nearest.direction, t, last), clear_at_least_until(distance, t));
    if (until > t_) return {until, {}};
    // Doubles that do not tell times apart any better: neighbours are one instant.
    const double next = std::nextafter(t_, std::numeric_limits<double>::infinity());
    if (next > range_end_ || stay_clear_until(next, triangles, t)) return {next, {}};
  }
  return {t_, TriangleContact{t_, ta, tb, distance, nearest.points.on_a, nearest.points.on_b}};
}

/// On straight lines to where they are then, and as far off these as turning takes them.
bool PairInstant::stay_clear_until(double next, OpenPair triangles, const Arms& t) const noexcept {
  const Pose a = a_.pose_at(next), b = b_.pose_at(next);
  const double off = turning_deviation(t.reach_a, a_.pose(), a) + turning_deviation(t.reach_b, b_.pose(), b);
  return !sweep::earliest_approach(a_.moving_triangle(triangles.triangle_a(), a),
                                   b_.moving_triangle(triangles.triangle_b(), b), (margin_ + off) * (1 + 0x1p-40));
}

/// By the distance alone, should no direction be known well enough.
double PairInstant::clear_at_least_until(double distance, const Arms& t) const noexcept {
  const double speed =
      (drift_rate_ + piece_->slack) + (piece_->spin_rate_a * t.reach_a + piece_->spin_rate_b * t.reach_b);
  return distance > margin_ ? std::min(time_after(t_, (distance - margin_) / speed * (1 - 0x1p-40)), piece_->end) : t_;
}

}  // namespace snug::ccd
