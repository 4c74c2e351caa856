#include <snug/tracker.hpp>

#include "geometry/turn.hpp"
#include "model/motion_bound.hpp"
#include "query/distance/closer.hpp"
#include "query/pairs/obb/oriented_pair.hpp"
#include "query/track/near_list.hpp"
#include "support/assert.hpp"
#include "support/fuel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace snug {

namespace detail {

struct TrackerData {
  Shape a, b;
  QueryOptions options;
  Scratch scratch;
  UserMark user;
  RelativeDisplacement displacement;
  TrackerStats stats;

  std::optional<TrianglePair> meeting;      ///< named last time
  std::optional<RelativeTransform> before;  ///< of the last question
  double path = 0;                          ///< no distance has changed by more between two questions than it has grown
  std::optional<double> apart;              ///< no two triangles were closer; and the path's length when that was known
  Distance closest;                         ///< the last one known
  NearPairs gathered;
  NearList near;
  KnownDirections directions;
  /// Gathering what is near does not pay where bodies slide along one another: so many searches go without it.
  unsigned without = 0, without_left = 0;

  TrackerData(Shape first, Shape second, const QueryOptions& o)
      : a(std::move(first)), b(std::move(second)), options(o), displacement(a.bounds(), b.bounds()) {
    gathered.pairs.reserve(NearPairs::k_most);
  }

  void forget() noexcept {
    meeting.reset(), before.reset(), apart.reset();
    closest = {};
    near.clear();
    path = 0;
    without = without_left = 0;
  }
};

namespace {

/// One question: the data, the poses, and how the bodies see one another.
class Step {
 public:
  Step(TrackerData& data, const Pose& pose_a, const Pose& pose_b)
      : d_(data),
        pose_a_(pose_a),
        pose_b_(pose_b),
        of_a_(data.a.mesh(), pose_a),
        of_b_(data.b.mesh(), pose_b),
        now_(data.displacement.at(pose_a, pose_b)) {
    if (data.before) {
      moved_ = data.displacement.between(*data.before, now_);
      data.path = (data.path + moved_) * (1 + 0x1p-50);
    }
    data.before = now_;
    ++data.stats.questions;
  }

  /// No two triangles are closer than this.
  [[nodiscard]] double known_apart() const noexcept { return d_.apart ? std::max(*d_.apart - d_.path, 0.0) : 0; }

  /// The pair named last time, if it still shares a point.
  [[nodiscard]] std::optional<TrianglePair> still_meeting() noexcept {
    if (!d_.meeting) return {};
    const Relation how = relation(of_a_.get(d_.meeting->a), of_b_.get(d_.meeting->b));
    if (how == Relation::disjoint) return d_.meeting = {};
    return d_.meeting = TrianglePair{d_.meeting->a, d_.meeting->b, how};
  }

  /// True if nothing that was near enough to meet does.
  [[nodiscard]] bool near_pairs_clear() noexcept {
    if (!(d_.near.horizon(d_.path) > 0)) return false;
    bool clear = true;
    int looked_at = 0;
    d_.near.visit(
        d_.path, [&] { return clear ? 0.0 : -k_infinity; },
        [&](NearList::Pair& pair) {
          const double distance = approach(of_a_.get(pair.a), of_b_.get(pair.b), k_infinity).points.distance;
          // With many to look at the trees are faster.
          clear = distance > 0 && ++looked_at < k_most_looks;
          return distance * (1 - k_same_digits);
        });
    if (!clear) d_.near.clear();
    return clear;
  }

  /// Keeps what is near for the steps to come, if that has paid before.
  void gather() {
    if (!worth_gathering() || k_steps_to_meet * moved_ > d_.displacement.size() / 16) return;
    const OrientedPair bodies = oriented_pair(d_.a, pose_a_, d_.b, pose_b_, d_.options);
    if (bodies.empty()) return;
    const DistanceLimits limits;
    d_.gathered.most = k_most_to_meet;
    Nearest(bodies, limits, Access::data(d_.scratch).get<SearchMemory>())
        .gather(d_.gathered, k_steps_to_meet * moved_, d_.options.stats);
    d_.near.assign(d_.gathered, d_.path);
    if (d_.gathered.horizon > 0 && d_.gathered.pairs.empty()) d_.apart = d_.gathered.horizon + d_.path;
  }

  Outcome<Distance> distance(const Budget& budget) {
    if (const auto known = distance_of_near_pairs()) {
      ++d_.stats.by_pairs;
      was_worth_it();
      remember(*known);
      return {*known, {}};
    }
    const double apart = known_apart();
    const Watch watch{.cancel = budget.cancel};
    if (budget.cancel != nullptr && (!d_.a.prepare_for(k_for_pairs, watch) || !d_.b.prepare_for(k_for_pairs, watch))) {
      Outcome<Distance> nothing{.because = Undecided::cancelled};
      nothing.known.lower = apart, nothing.known.complete = false;
      return nothing;
    }
    Fuel fuel(budget);
    Distance found = search(fuel);
    if (found.complete) return {found, {}};
    found.lower = std::max(found.lower, apart);
    return {found, fuel.why()};
  }

  void was_worth_it() noexcept { d_.without = d_.without_left = 0; }

 private:
  static constexpr double k_infinity = std::numeric_limits<double>::infinity();
  /// So many steps like the last one, what is near now is to be known. More make longer lists, fewer more searches.
  static constexpr double k_steps_ahead = 16;
  /// Whether bodies meet is soon found out by the trees; more to look at than this is not worth it.
  static constexpr std::size_t k_most_to_meet = 32;
  static constexpr double k_steps_to_meet = 6;
  static constexpr int k_most_looks = 3;
  static constexpr unsigned k_most_without = 63;

  /// The distance from what was near; nothing if something else may be closer by now.
  [[nodiscard]] std::optional<Distance> distance_of_near_pairs() {
    if (!d_.closest.found()) return {};
    Distance best;
    NearList::Pair last{d_.closest.triangle_a, d_.closest.triangle_b, {}};
    (void)take(best, last);
    const double reach = best.value * (1 + k_same_digits);
    if (best.value > 0 && !(reach < d_.near.horizon(d_.path))) return {};
    d_.near.visit(
        d_.path, [&] { return best.value > 0 ? best.value * (1 + k_same_digits) : -k_infinity; },
        [&](NearList::Pair& pair) { return take(best, pair); });
    best.lower = best.value;
    return best;
  }

  /// Asks the trees.
  Distance search(Fuel& fuel) {
    ++d_.stats.searches;
    d_.near.clear();
    d_.gathered.clear();
    const OrientedPair bodies = oriented_pair(d_.a, pose_a_, d_.b, pose_b_, d_.options);
    if (bodies.empty()) return {};
    const DistanceLimits limits;
    d_.gathered.most = NearPairs::k_most;
    Nearest nearest(bodies, limits, Access::data(d_.scratch).get<SearchMemory>());
    if (d_.closest.found()) nearest.offer(d_.closest.triangle_a, d_.closest.triangle_b);
    if (worth_gathering()) nearest.keep(d_.gathered, k_steps_ahead * moved_);
    const Distance found = nearest.search(fuel, d_.options.stats);
    d_.near.assign(d_.gathered, d_.path);
    if (found.complete) remember(found);
    return found;
  }

  void remember(const Distance& found) noexcept {
    SNUG_ASSERT(found.lower <= found.value);
    d_.closest = found;
    d_.apart = found.lower * (1 - k_same_digits) + d_.path;  // others as close may be a hair closer
    if (found.value == 0)
      d_.meeting = {
          {found.triangle_a, found.triangle_b, relation(of_a_.get(found.triangle_a), of_b_.get(found.triangle_b))}};
  }

  [[nodiscard]] bool worth_gathering() noexcept {
    if (!(moved_ >= 0)) return false;
    if (d_.without_left > 0) {
      --d_.without_left;
      return false;
    }
    d_.without = std::min(2 * d_.without + 1, k_most_without);
    d_.without_left = d_.without;
    return true;
  }

  /// Takes two triangles if they are closer than the best; returns a lower bound on their distance. Around a pin in its bore
  /// all are as close, each in a direction of its own, which turns only slowly.
  double take(Distance& best, NearList::Pair& pair) {
    const Triangle &ta = of_a_.get(pair.a), &tb = of_b_.get(pair.b);
    if (best.found()) {
      double gap = gap_along(turn(pose_a_.matrix(), pair.direction), ta, tb);
      if (gap > 0 && !closer(gap, pair.a, pair.b, best)) return gap;
      if (d_.directions.tell_not_closer(ta, tb, pair.a, pair.b, best, gap)) return gap;
    }
    const Approach met = approach(ta, tb, best.value * (1 + k_same_digits));
    d_.directions.remember(met.direction);
    pair.direction = turn_back(pose_a_.matrix(), met.direction);
    if (met.beyond) return best.value;
    if (closer(met.points.distance, pair.a, pair.b, best)) {
      best.value = met.points.distance;
      best.on_a = met.points.on_a, best.on_b = met.points.on_b;
      best.triangle_a = pair.a, best.triangle_b = pair.b;
    }
    return met.points.distance * (1 - k_same_digits);
  }

  TrackerData& d_;
  const Pose &pose_a_, &pose_b_;
  PosedTriangle of_a_, of_b_;
  RelativeTransform now_;
  double moved_ = -1;  ///< since the last question; negative if there was none
};

bool remembers(const TrackerData& d) noexcept {
  return are_meshes(d.a, d.b) && d.options.method == Method::surface &&
         d.options.surface.bounds == SurfaceSearch::Bounds::oriented;
}

}  // namespace

}  // namespace detail

Tracker::Tracker(Shape a, Shape b, const QueryOptions& options)
    : data_(std::make_unique<detail::TrackerData>(std::move(a), std::move(b), options)) {}
Tracker::~Tracker() = default;
Tracker::Tracker(Tracker&&) noexcept = default;
Tracker& Tracker::operator=(Tracker&&) noexcept = default;

void Tracker::set_shapes(Shape a, Shape b) {
  SNUG_ASSERT(data_ != nullptr && "a Tracker is used after it was moved from");
  data_ = std::make_unique<detail::TrackerData>(std::move(a), std::move(b), data_->options);
}
void Tracker::forget() noexcept { data_->forget(); }
const TrackerStats& Tracker::stats() const noexcept { return data_->stats; }

std::optional<TrianglePair> Tracker::first_pair(const Pose& pose_a, const Pose& pose_b) {
  SNUG_ASSERT(data_ != nullptr && "a Tracker is used after it was moved from");
  detail::TrackerData& d = *data_;
  const support::OneUser user(d.user);
  if (!shape::are_valid(pose_a, pose_b)) return TrianglePair::refusal();
  if (!detail::remembers(d)) return snug::first_pair(d.a, pose_a, d.b, pose_b, d.scratch, d.options);
  detail::Step step(d, pose_a, pose_b);
  if (const auto pair = step.still_meeting()) {
    ++d.stats.by_pairs;
    return pair;
  }
  if (step.known_apart() > 0) {
    ++d.stats.by_motion;
    step.was_worth_it();
    return {};
  }
  if (step.near_pairs_clear()) {
    ++d.stats.by_pairs;
    step.was_worth_it();
    return {};
  }
  ++d.stats.searches;
  d.meeting = snug::first_pair(d.a, pose_a, d.b, pose_b, d.scratch, d.options);
  if (!d.meeting) step.gather();
  return d.meeting;
}

bool Tracker::intersects(const Pose& pose_a, const Pose& pose_b) {
  SNUG_ASSERT(data_ != nullptr && "a Tracker is used after it was moved from");
  if (detail::are_meshes(data_->a, data_->b)) return first_pair(pose_a, pose_b).has_value();
  return snug::intersects(data_->a, pose_a, data_->b, pose_b, data_->scratch);
}

void Tracker::triangle_pairs(const Pose& pose_a, const Pose& pose_b, std::vector<TrianglePair>& pairs) {
  SNUG_ASSERT(data_ != nullptr && "a Tracker is used after it was moved from");
  detail::TrackerData& d = *data_;
  const support::OneUser user(d.user);
  if (!shape::are_valid(pose_a, pose_b)) return pairs.assign(1, TrianglePair::refusal());
  if (detail::remembers(d)) {
    detail::Step step(d, pose_a, pose_b);
    if (step.known_apart() > 0) {
      ++d.stats.by_motion;
      step.was_worth_it();
      pairs.clear();
      return;
    }
    if (step.near_pairs_clear()) {
      ++d.stats.by_pairs;
      step.was_worth_it();
      pairs.clear();
      return;
    }
    ++d.stats.searches;
    snug::triangle_pairs(d.a, pose_a, d.b, pose_b, d.scratch, pairs, d.options);
    if (pairs.empty()) step.gather();
    return;
  }
  snug::triangle_pairs(d.a, pose_a, d.b, pose_b, d.scratch, pairs, d.options);
}

double Tracker::known_apart(const Pose& pose_a, const Pose& pose_b) {
  SNUG_ASSERT(data_ != nullptr && "a Tracker is used after it was moved from");
  detail::TrackerData& d = *data_;
  const support::OneUser user(d.user);
  if (!shape::are_valid(pose_a, pose_b)) return 0;
  if (!detail::remembers(d)) return 0;
  const double apart = detail::Step(d, pose_a, pose_b).known_apart();
  if (apart > 0) ++d.stats.by_motion;
  return apart;
}

Distance Tracker::distance(const Pose& pose_a, const Pose& pose_b) {
  SNUG_ASSERT(data_ != nullptr && "a Tracker is used after it was moved from");
  detail::TrackerData& d = *data_;
  const support::OneUser user(d.user);
  if (!shape::are_valid(pose_a, pose_b)) return Distance::refusal();
  if (!detail::remembers(d)) return snug::distance(d.a, pose_a, d.b, pose_b, d.scratch, {}, d.options);
  return query::with_normal(detail::Step(d, pose_a, pose_b).distance({}).known);
}

bool Tracker::within(const Pose& pose_a, const Pose& pose_b, double clearance) {
  SNUG_ASSERT(data_ != nullptr && "a Tracker is used after it was moved from");
  detail::TrackerData& d = *data_;
  const support::OneUser user(d.user);
  if (!shape::are_valid(pose_a, pose_b) || std::isnan(clearance)) return true;
  if (clearance < 0) return false;
  if (!detail::remembers(d)) return snug::within(d.a, pose_a, d.b, pose_b, clearance, d.scratch, d.options);
  detail::Step step(d, pose_a, pose_b);
  if (step.known_apart() > clearance * (1 + query::k_same_digits)) {
    ++d.stats.by_motion;
    return false;
  }
  const double named = step.distance({}).known.value;
  if (named <= clearance || query::least_as_close(named) > clearance) return named <= clearance;
  // Another pair, as close by its first digits as the one that is named, may be within.
  return snug::within(d.a, pose_a, d.b, pose_b, clearance, d.scratch, d.options);
}

Outcome<Distance> Tracker::try_distance(const Pose& pose_a, const Pose& pose_b, const Budget& budget) {
  SNUG_ASSERT(data_ != nullptr && "a Tracker is used after it was moved from");
  detail::TrackerData& d = *data_;
  const support::OneUser user(d.user);
  if (!shape::are_valid(pose_a, pose_b)) return {.known = Distance::refusal(), .because = Undecided::invalid_input};
  if (!detail::remembers(d)) return snug::try_distance(d.a, pose_a, d.b, pose_b, d.scratch, budget, {}, d.options);
  Outcome<Distance> found = detail::Step(d, pose_a, pose_b).distance(budget);
  found.known = query::with_normal(found.known);
  return found;
}

Outcome<Answer> Tracker::try_intersects(const Pose& pose_a, const Pose& pose_b, const Budget& budget) {
  SNUG_ASSERT(data_ != nullptr && "a Tracker is used after it was moved from");
  detail::TrackerData& d = *data_;
  const support::OneUser user(d.user);
  if (!shape::are_valid(pose_a, pose_b)) return {.because = Undecided::invalid_input};
  if (!detail::remembers(d)) return snug::try_intersects(d.a, pose_a, d.b, pose_b, d.scratch, budget, d.options);
  detail::Step step(d, pose_a, pose_b);
  if (const auto pair = step.still_meeting()) {
    ++d.stats.by_pairs;
    return {{.yes = true, .pair = pair}, {}};
  }
  if (const double apart = step.known_apart(); apart > 0) {
    ++d.stats.by_motion;
    return {{.distance_at_least = apart}, {}};
  }
  const auto [found, because] = step.distance(budget);
  if (found.value == 0) return {{.yes = true, .distance_at_least = found.lower, .pair = d.meeting}, {}};
  return {{.distance_at_least = found.lower}, because};
}

}  // namespace snug
