#include "ccd/contact_search.hpp"

#include "ccd/parting.hpp"
#include "ccd/sweep/swept_hull.hpp"
#include "geometry/closest_points.hpp"
#include "query/fuel.hpp"
#include "support/assert.hpp"

#include <snug/sweep.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// Conservative advancement of pairs of nodes and triangles, each by itself (after Zhang et al. 2006 and Tang et al. 2009): a pair is
// put off until the time for which a gap along some direction is proved to last, and the pair whose time comes first is looked
// at next. Hence the first two triangles that are found to meet are the first to meet at all.

namespace snug::detail {

namespace {

/// Nodes and triangles are put off rather than looked into while the gap is more than this of their size. Small: it costs less to come
/// back to a pair than to look at all that is in it.
constexpr double k_far = 0.01, k_far_triangles = 0.2;
/// The same for nodes that hold no more than k_few pairs of triangles: they are told nearly as well whole.
constexpr double k_far_few = 1e-5;
constexpr std::uint32_t k_few = 256;
/// Times are rounded down to such shares of the range, so that many pairs share a pose.
constexpr double k_grains = 1024;
/// After so many pairs it pays to look for some contact, at so many instants: later ones need no proof.
constexpr std::uint64_t k_long_search = 64;
constexpr int k_ahead = 4, k_ahead_halvings = 6;
constexpr std::uint64_t k_between_looks = 256;

/// Sooner first; which of those that come at once does not matter, but has to be the same every time.
bool comes_later(const TimedPair& p, const TimedPair& q) noexcept {
  if (p.t != q.t) return p.t > q.t;
  return std::pair(p.a, p.b) > std::pair(q.a, q.b);
}

enum class Fixed : std::uint8_t { in_a, in_b };  ///< the body that a direction turns with

class ContactSearch {
 public:
  /// `range`: a part of what memory.pace was set for.
  ContactSearch(MovingSide& a, MovingSide& b, const TimeSpan& range, double farthest,
                const FirstContactOptions& options, FirstContactMemory& memory)
      : a_(a),
        b_(b),
        range_(range),
        options_(options),
        pace_(memory.pace),
        later_(memory.later),
        now_(memory.now),
        margin_(options.separation + k_contact_slack * farthest),
        product_slack_(0x1p-46 * farthest),
        last_(range.end),
        grain_(range.length() / k_grains) {
    out_.resolution = k_contact_resolution * farthest;
    later_.clear();
    now_.clear();
  }

  FirstContact run(const std::function<bool(double)>& meet_at, std::uint64_t pairs_so_far,
                   const std::vector<TrianglePairBound>* near) {
    out_.pairs = pairs_so_far;
    out_.value = FirstContact::Value::no;
    out_.t = range_.end;
    if (a_.empty() || b_.empty()) return out_;
    move_to(range_.begin);
    if (near == nullptr)
      now_.push_back({range_.begin, 0, 0});
    else
      for (const TrianglePairBound& pair : *near)
        now_.push_back({range_.begin, pair.a | TimedPair::k_triangle, pair.b | TimedPair::k_triangle});
    for (;;) {
      while (!now_.empty()) {
        const TimedPair pair = now_.back();
        now_.pop_back();
        if (const auto why = why_spent(options_.budget, out_.pairs, k_between_looks)) return undecided(*why);
        if (++out_.pairs == pairs_so_far + k_long_search) look_ahead(meet_at);
        if (!pair.of_triangles())
          look_at(pair);
        else if (meet(pair))
          return out_;
      }
      if (later_.empty()) {
        // What is known to meet cannot have been proved to stay clear.
        SNUG_ASSERT(last_ == range_.end);
        return out_;
      }
      std::ranges::pop_heap(later_, comes_later);
      now_.push_back(later_.back());
      later_.pop_back();
      if (now_.back().t != t_) move_to(now_.back().t);
    }
  }

 private:
  void move_to(double t) noexcept {
    t_ = t;
    at_ = pace_.piece_at(t);
    piece_ = &pace_.piece(at_);
    a_.move_to(t, piece_->pivot_a), b_.move_to(t, piece_->pivot_b);
    between_ = b_.origin() - a_.origin();
    apart_ = length_of(between_);
    rest_ = std::min(piece_->end, range_.end) - t;
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
  [[nodiscard]] FirstContact undecided(Undecided why) const noexcept {
    FirstContact out;
    out.because = why;
    out.t = t_;
    out.resolution = out_.resolution, out.pairs = out_.pairs;
    return out;
  }
  /// Until then nothing is known of the pair but that it stays clear.
  void put_off(double t, const TimedPair& pair) {
    if (t > last_) return;
    const double shared = range_.begin + std::floor((t - range_.begin) / grain_) * grain_;
    later_.push_back({shared > t_ && shared < t ? shared : t, pair.a, pair.b});
    std::ranges::push_heap(later_, comes_later);
  }

  /// Looks for some contact and halves the way back to the last instant seen clear: what comes later needs no proof. The time it
  /// finds is one of contact; that there is none before is for the search to prove.
  void look_ahead(const std::function<bool(double)>& meet_at) {
    double clear = t_;
    for (int i = 1; i <= k_ahead; ++i) {
      const double t = i == k_ahead ? range_.end : t_ + i * ((range_.end - t_) / k_ahead);
      if (meet_at(t)) {
        last_ = t;
        break;
      }
      clear = t;
    }
    if (clear == range_.end) return;
    for (int i = 0; i < k_ahead_halvings; ++i) {
      const double t = clear + 0.5 * (last_ - clear);
      (meet_at(t) ? last_ : clear) = t;
    }
  }

  /// All but the gaps. For a direction that turns with a, the points of b are what moves: with x seen from b's pivot at the speed
  /// drift_in_a + turn × x. Their acceleration there is their own, Coriolis' and that of a's turning.
  [[nodiscard]] Closing closing(const Vec3& n, Fixed fixed, double reach_a, double reach_b) const noexcept {
    Closing c;
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

  /// Two boxes along a direction that parts them by `gap`.
  [[nodiscard]] double clear_until(const Vec3& n, Fixed fixed, double gap, const NodeBox& a, const Vec3& arm_a,
                                   const NodeBox& b, const Vec3& arm_b) const noexcept {
    Closing c = closing(n, fixed, a_.reach_of(a, arm_a), b_.reach_of(b, arm_b));
    const Vec3 across = cross(n, turn_);
    const bool in_a = fixed == Fixed::in_a;
    const double rate = dot(n, in_a ? drift_in_a_ : drift_in_b_) + dot(in_a ? arm_b : arm_a, across) -
                        (in_a ? b.radius : a.radius) * length_of(across) - piece_->slack;
    c.count = 1;
    c.gaps[0] = {gap, rate};
    return pace_.clear_until(t_, at_, c);
  }

  void look_at(const TimedPair& pair) {
    const NodeBox &a = a_.box(pair.a), &b = b_.box(pair.b);
    const Vec3 arm_a = a_.arm_of(a.middle), arm_b = b_.arm_of(b.middle);
    const Vec3 between = between_ + (arm_b - arm_a);
    double widest = 0, until = t_;
    if (const double distance = length_of(between); distance > 0) {
      const Vec3 n = (1 / distance) * between;
      const double gap = distance - std::min(a.radius, a_.extent(a, n)) - std::min(b.radius, b_.extent(b, n)) - margin_;
      if (gap > 0) {
        until = clear_until(n, a.radius < b.radius ? Fixed::in_b : Fixed::in_a, gap, a, arm_a, b, arm_b);
        if (until > last_) return;
        widest = gap;
      }
    }
    double best_gap = 0;
    Vec3 best;
    Fixed fixed = Fixed::in_a;
    const std::array<double, 3> in_a{dot(a_.axis(0), between), dot(a_.axis(1), between), dot(a_.axis(2), between)};
    for (std::size_t i = 0; i < 3; ++i) {
      const double gap_a = std::abs(in_a[i]) - a.half[i] - margin_ -
                           (positive_[i][0] * b.half.x + positive_[i][1] * b.half.y + positive_[i][2] * b.half.z);
      if (gap_a > best_gap) best_gap = gap_a, fixed = Fixed::in_a, best = in_a[i] < 0 ? -a_.axis(i) : a_.axis(i);
      const double in_b = in_a[0] * cosine_[0][i] + in_a[1] * cosine_[1][i] + in_a[2] * cosine_[2][i];
      const double gap_b = std::abs(in_b) - b.half[i] - margin_ -
                           (positive_[0][i] * a.half.x + positive_[1][i] * a.half.y + positive_[2][i] * a.half.z);
      if (gap_b > best_gap) best_gap = gap_b, fixed = Fixed::in_b, best = in_b < 0 ? -b_.axis(i) : b_.axis(i);
    }
    if (best_gap > 0) {
      until = std::max(until, clear_until(best, fixed, best_gap, a, arm_a, b, arm_b));
      if (until > last_) return;
      widest = std::max(widest, best_gap);
    }
    const bool few = a_.node(pair.a).size() * b_.node(pair.b).size() <= k_few;
    const double far = (few ? k_far_few : k_far) * (a.radius + b.radius);
    if (!(widest > far)) {
      const AcrossEdges edges = across_edges(in_a, a, b);
      if (edges.gap > std::max(widest, far)) {
        until = std::max(until, clear_until(edges.direction, a.radius < b.radius ? Fixed::in_b : Fixed::in_a, edges.gap,
                                            a, arm_a, b, arm_b));
        if (until > last_) return;
        widest = edges.gap;
      }
    }
    if (until > t_ && widest > far) return put_off(until, pair);
    open(pair);
  }

  struct AcrossEdges {
    double gap = 0;
    Vec3 direction;
  };
  /// The direction across two edges that parts the boxes most. `between`: from middle to middle, along the axes of a.
  [[nodiscard]] AcrossEdges across_edges(const std::array<double, 3>& between, const NodeBox& a,
                                         const NodeBox& b) const noexcept {
    AcrossEdges best;
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
        if (!(by > best.gap)) continue;
        best.gap = by;
        best.direction = (middles < 0 ? -1 / length : 1 / length) * (along1 * a_.axis(i1) + along2 * a_.axis(i2));
      }
    }
    return best;
  }

  void open(const TimedPair& pair) {
    const AabbTree::Node &a = a_.node(pair.a), &b = b_.node(pair.b);
    if (a.leaf() && b.leaf()) {
      for (std::uint32_t i = b.end; i-- > b.begin;)
        for (std::uint32_t k = a.end; k-- > a.begin;)
          now_.push_back({t_, a_.triangle_at(k) | TimedPair::k_triangle, b_.triangle_at(i) | TimedPair::k_triangle});
    } else if (b.leaf() || (!a.leaf() && a_.box(pair.a).radius >= b_.box(pair.b).radius)) {
      now_.push_back({t_, a.right, pair.b});
      now_.push_back({t_, pair.a + 1, pair.b});
    } else {
      now_.push_back({t_, pair.a, b.right});
      now_.push_back({t_, pair.a, pair.b + 1});
    }
  }

  /// Two triangles at the instant, each seen from its body's pivot.
  struct Arms {
    Triangle a, b;
    double reach_a, reach_b;
  };
  /// Until when a direction that parts two triangles does so, whichever body it turns with.
  [[nodiscard]] double clear_until(const Vec3& n, const Arms& t) const noexcept {
    const Vec3 across = cross(n, turn_);
    const double shift = dot(n, between_);
    const std::array<double, 3> at_a{dot(n, t.a[0]), dot(n, t.a[1]), dot(n, t.a[2])};
    const std::array<double, 3> at_b{dot(n, t.b[0]) + shift, dot(n, t.b[1]) + shift, dot(n, t.b[2]) + shift};
    const double end_a = std::max({at_a[0], at_a[1], at_a[2]}), end_b = std::min({at_b[0], at_b[1], at_b[2]});
    if (!(end_b - end_a > margin_)) return t_;
    Closing in_a = closing(n, Fixed::in_a, t.reach_a, t.reach_b), in_b = closing(n, Fixed::in_b, t.reach_a, t.reach_b);
    const double drift_a = dot(n, drift_in_a_) - piece_->slack, drift_b = dot(n, drift_in_b_) - piece_->slack;
    in_a.count = in_b.count = 3;
    for (std::size_t i = 0; i < 3; ++i) {
      in_a.gaps[i] = {at_b[i] - end_a - margin_, drift_a + dot(t.b[i], across)};
      in_b.gaps[i] = {end_b - at_a[i] - margin_, drift_b + dot(t.a[i], across)};
    }
    const double until = pace_.clear_until(t_, at_, in_a);
    return until > last_ ? until : std::max(until, pace_.clear_until(t_, at_, in_b));
  }

  [[nodiscard]] static double reach_of(const Triangle& arms) noexcept {
    return std::sqrt(std::max({dot(arms[0], arms[0]), dot(arms[1], arms[1]), dot(arms[2], arms[2])})) * (1 + 0x1p-48);
  }

  /// True, and told, if the triangles meet now.
  bool meet(const TimedPair& pair) {
    const std::uint32_t ta = pair.a & ~TimedPair::k_triangle, tb = pair.b & ~TimedPair::k_triangle;
    Arms t{a_.arms_of(ta), b_.arms_of(tb), 0, 0};
    t.reach_a = reach_of(t.a), t.reach_b = reach_of(t.b);
    const Triangle b{{t.b[0] + between_, t.b[1] + between_, t.b[2] + between_}};
    const Vec3 middles = middle_of(b) - middle_of(t.a);
    Parting best;
    part_along(middles, t.a, b, best);
    double until = t_;
    if (best.gap * best.gap > k_far_triangles * k_far_triangles * dot(middles, middles)) {
      // Triangles that are far apart need no better direction yet.
      until = clear_until(best.direction, t);
      if (until > t_) return put_off(until, pair), false;
    }
    part_most(t.a, b, k_far_triangles, best);
    if (best.gap > margin_ + 0.5 * out_.resolution) until = clear_until(best.direction, t);
    if (until > t_) return put_off(until, pair), false;
    return meet_closely(pair, t);
  }

  /// The same by the closest points.
  bool meet_closely(const TimedPair& pair, const Arms& t) {
    const std::uint32_t ta = pair.a & ~TimedPair::k_triangle, tb = pair.b & ~TimedPair::k_triangle;
    const detail::Approach nearest =
        approach(a_.triangle(ta), b_.triangle(tb), std::numeric_limits<double>::infinity());
    const double distance = nearest.points.distance;
    if (distance > options_.separation + out_.resolution) {
      const double until = std::max(clear_until(nearest.direction, t), clear_at_least_until(distance, t));
      if (until > t_) return put_off(until, pair), false;
      // Doubles that do not tell times apart any better: neighbours are one instant.
      const double next = std::nextafter(t_, std::numeric_limits<double>::infinity());
      if (next > range_.end || stay_clear_until(next, ta, tb, t)) return put_off(next, pair), false;
    }
    out_.value = FirstContact::Value::yes;
    out_.t = t_;
    out_.triangle_a = ta, out_.triangle_b = tb;
    out_.distance = distance;
    out_.on_a = nearest.points.on_a, out_.on_b = nearest.points.on_b;
    return true;
  }

  /// On straight ways to where they are then, and as far off these as turning takes them.
  [[nodiscard]] bool stay_clear_until(double next, std::uint32_t ta, std::uint32_t tb, const Arms& t) const noexcept {
    const Pose a = a_.pose_at(next), b = b_.pose_at(next);
    const double off = turning_deviation(t.reach_a, a_.pose(), a) + turning_deviation(t.reach_b, b_.pose(), b);
    return !sweep::earliest_approach(a_.moving_triangle(ta, a), b_.moving_triangle(tb, b),
                                     (margin_ + off) * (1 + 0x1p-40));
  }

  /// By the distance alone, should no direction be known well enough.
  [[nodiscard]] double clear_at_least_until(double distance, const Arms& t) const noexcept {
    const double speed =
        (drift_rate_ + piece_->slack) + (piece_->spin_rate_a * t.reach_a + piece_->spin_rate_b * t.reach_b);
    return distance > margin_ ? std::min(time_after(t_, (distance - margin_) / speed * (1 - 0x1p-40)), piece_->end)
                              : t_;
  }

  MovingSide &a_, &b_;
  TimeSpan range_;
  const FirstContactOptions& options_;
  const Pace& pace_;
  std::vector<TimedPair>&later_, &now_;
  double margin_;         ///< the separation and what rounding may add
  double product_slack_;  ///< rounding of gaps along products of axes that are not scaled to one yet
  double last_;           ///< the end of the range, or a time at which the bodies are known to have met
  double grain_;
  FirstContact out_;

  // What depends on the instant alone.
  double t_ = 0, rest_ = 0;
  std::size_t at_ = 0;
  const PacePiece* piece_ = nullptr;
  Vec3 between_;  ///< from a's pivot to b's
  double apart_ = 0, drift_rate_ = 0;
  Vec3 turn_, drift_in_a_, drift_in_b_;
  std::array<std::array<double, 3>, 3> cosine_{}, positive_{};
};

}  // namespace

FirstContact search_contact(MovingSide& a, MovingSide& b, const ContactTask& task, const FirstContactOptions& options,
                            FirstContactMemory& memory) {
  return ContactSearch(a, b, task.range, task.farthest, options, memory).run(task.meet_at, task.pairs, task.near);
}

}  // namespace snug::detail
