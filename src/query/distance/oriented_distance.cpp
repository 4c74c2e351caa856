#include "query/distance/nearest.hpp"
#include "support/assert.hpp"

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"

#include <cmath>
#include <iterator>
#include <limits>

namespace snug::query {

namespace {
constexpr float k_infinity = std::numeric_limits<float>::infinity();

/// Counts distances from where the balls around both bodies end, and looks from one to the other to begin with.
void look_from_afar(ClosestSearch& search) noexcept {
  const RelativePose& pose = search.pose;
  const auto length = [](const double v[3]) { return std::sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]); };
  const double between = length(pose.translation);
  const double base =
      between * (1 - 0x1p-40) - (length(pose.half_a) + length(pose.half_b)) * (1 + 0x1p-40) - 2 * pose.error;
  if (!(base > 0 && between < 0x1p100)) return;
  search.base = base;
  const double* const t = pose.translation;
  search.look_along({t[0] / between, t[1] / between, t[2] / between});
}

/// In the unit of the pair, in which bodies are about 1 large: here what has the same first digits as the closest is a thousandth
/// of that thick.
constexpr double k_far = 0x1p30;

void find_least_ids(const ObbTree& tree, std::vector<std::uint32_t>& least) {
  least.resize(std::max(least.size(), tree.nodes.size()));
  // Nodes come before those below them.
  for (std::size_t n = tree.nodes.size(); n-- > 0;) {
    const ObbNode& node = tree.nodes[n];
    SNUG_ASSERT(node.count > 0 && (node.inner == 0 || node.first_node > n));
    least[n] = ~std::uint32_t{0};
    for (std::uint32_t lane = 0; lane < node.count; ++lane)
      least[n] = std::min(least[n], lane < node.inner ? least[node.first_node + lane]
                                                      : tree.blocks[node.first_block + lane - node.inner].id[0]);
  }
}

/// Of unit length, or zero where it is too short or too long for that to be known to all digits.
Vec3 normal_of(const Triangle& t) noexcept {
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  const double squared = dot(n, n);
  return squared > 0x1p-900 && std::isfinite(squared) ? (1 / std::sqrt(squared)) * n : Vec3{};
}

}  // namespace

void KnownDirections::remember(const Vec3& direction) noexcept {
  std::shift_right(directions_.begin(), directions_.end(), 1);
  directions_[0] = direction;
}

bool KnownDirections::tell_not_closer(const Triangle& a, const Triangle& b, std::uint32_t id_a, std::uint32_t id_b,
                                      const Distance& best, double& gap) noexcept {
  if (best.triangle_a == Distance::k_no_triangle) return false;
  const auto tells = [&](const Vec3& direction) {
    gap = gap_along(direction, a, b);
    return gap > 0 && !closer(gap, id_a, id_b, best);
  };
  const auto tells_normal = [&](bool of_b) {
    if (!tells(normal_of(of_b ? b : a))) return false;
    last_ = of_b ? By::normal_b : By::normal_a;
    return true;
  };
  // Around a ball within a ball it is the normals of one body that tell, time and again.
  if (last_ != By::known && tells_normal(last_ == By::normal_b)) return true;
  for (std::size_t i = 0; i < directions_.size(); ++i) {
    if (!tells(directions_[i])) continue;
    if (i > 0) std::swap(directions_[i], directions_[i - 1]);
    last_ = By::known;
    return true;
  }
  return (last_ != By::normal_a && tells_normal(false)) || (last_ != By::normal_b && tells_normal(true));
}

Nearest::Nearest(const OrientedPair& bodies, const DistanceLimits& limits, SearchMemory& memory)
    : bodies_(bodies), limits_(limits), a_(bodies.a), b_(bodies.b), not_looked_at_(k_infinity) {
  memory.bounds.resize(std::max(memory.bounds.size(), stack_room(bodies.tree_a, bodies.tree_b)));
  fill_in(search_, bodies);
  search_.stack = memory.bounds.data();
  search_.stack[search_.stack_size++] = {{0, 0}, 0.0F};
  search_.context = this;
  search_.take = take;
  unit_ = std::ldexp(1.0, -search_.pose.exponent);
  look_from_afar(search_);
  set_reach();
  if (search_.base > k_far) prefer_small_ids(memory);
}

/// Beside their distance the bodies are so small that many triangles, if not all, are equally close, and the smallest ids decide:
/// they lead the search, which would otherwise look at every pair.
void Nearest::prefer_small_ids(SearchMemory& memory) {
  find_least_ids(bodies_.tree_a, memory.least_a);
  find_least_ids(bodies_.tree_b, memory.least_b);
  search_.least_a = memory.least_a.data(), search_.least_b = memory.least_b.data();
}

void Nearest::offer(std::uint32_t a, std::uint32_t b) { take(a, b); }

void Nearest::keep(NearPairs& near, double slack) noexcept {
  near.clear();
  near.base = search_.base, near.unit = unit_;
  near_ = &near, slack_ = slack;
  set_reach();
}

/// No smaller than the distance beyond the base, although a float, and generous enough that what has the same first digits is not
/// lost.
float Nearest::bound_of(double distance) const noexcept {
  const double scaled = distance * unit_;
  const double wider = std::max(scaled - search_.base, 0.0) * (1 + 0x1p-22) + scaled * 0x1p-38 + 0x1p-140;
  return wider < 0x1p126 ? static_cast<float>(wider) : k_infinity;
}

void Nearest::set_reach() noexcept {
  const double distance = only_gathers_ ? 0 : std::min(best_.value, limits_.ignore_beyond);
  reach_ = only_gathers_ ? -1 : bound_of(distance);
  search_.best = near_ != nullptr ? bound_of(distance + slack_) : reach_;
  if (search_.least_a == nullptr || !best_.found()) return;
  // Whoever keeps what is near wants the others, too.
  const double as_close = least_as_close(best_.value) * unit_ - search_.base;
  search_.as_close = near_ != nullptr ? k_infinity : as_close > 0 ? static_cast<float>(as_close * (1 + 0x1p-22)) : 0.0F;
  search_.best_a = best_.triangle_a, search_.best_b = best_.triangle_b;
}

bool Nearest::take(ClosestSearch& search, std::uint32_t count) {
  SNUG_ASSERT(count <= std::size(search.candidates));
  auto& self = *static_cast<Nearest*>(search.context);
  for (std::uint32_t i = 0; i < count && !self.ended_; ++i) {
    const TrianglePairBound& pair = search.candidates[i];
    if (self.near_ != nullptr) self.keep(pair);
    if (pair.bound > self.reach_) continue;
    self.take(pair.a, pair.b);
    if (self.ended_) self.not_looked_at_ = pair.bound;  // those that follow are no nearer
  }
  return !self.ended_;
}

void Nearest::take(std::uint32_t a, std::uint32_t b) {
  const Triangle &triangle_a = a_.get(a), &triangle_b = b_.get(b);
  double gap = 0;
  if (directions_.tell_not_closer(triangle_a, triangle_b, a, b, best_, gap)) return;
  ++exact_tests_;
  const double reach = std::min(best_.value, limits_.ignore_beyond) * (1 + k_same_digits);
  const Approach met = approach(triangle_a, triangle_b, reach);
  directions_.remember(met.direction);
  // Whoever is beyond the limit must not stand before others that are as close by their first digits, and within it.
  if (met.beyond || met.points.distance > std::min(reach, limits_.ignore_beyond) ||
      !closer(met.points.distance, a, b, best_))
    return;
  best_.value = met.points.distance;
  best_.on_a = met.points.on_a, best_.on_b = met.points.on_b;
  best_.triangle_a = a, best_.triangle_b = b;
  set_reach();
  search_.look_along(turn_back(bodies_.a.pose.matrix(), met.direction));
  ended_ = best_.value <= limits_.enough;
  SNUG_ASSERT(best_.value >= 0 && best_.value <= limits_.ignore_beyond);
}

/// Keeps a pair; with too many the slack is halved until they are few enough.
void Nearest::keep(const TrianglePairBound& pair) {
  SNUG_ASSERT(near_ != nullptr);
  if (pair.bound > search_.best) return;
  std::vector<TrianglePairBound>& pairs = near_->pairs;
  for (int halvings = 0; pairs.size() >= near_->most; ++halvings) {
    std::erase_if(pairs, [&](const TrianglePairBound& kept) { return kept.bound > search_.best; });
    if (pairs.size() < near_->most / 2) break;
    slack_ = halvings < 8 ? slack_ / 2 : 0;
    set_reach();
    if (slack_ == 0) {
      near_->clear();
      near_ = nullptr;  // too many are as close
      ended_ = only_gathers_;
      set_reach();
      return;
    }
  }
  pairs.push_back(pair);
}

/// False if there is something left to look at.
bool Nearest::walk(Fuel& fuel) {
  while (!ended_) {
    const std::uint64_t portion = fuel.portion();
    if (portion == 0) return false;
    search_.node_pairs_left = portion;
    const bool finished = bodies_.kernels.closest(search_);
    SNUG_ASSERT(search_.stack_size <= stack_room(bodies_.tree_a, bodies_.tree_b));
    SNUG_ASSERT(search_.node_pairs_left <= portion);
    fuel.use(portion - search_.node_pairs_left);
    if (finished) return true;
  }
  return false;
}

Distance Nearest::search(Fuel& fuel, Stats* stats) {
  const bool finished = walk(fuel);
  best_.complete = finished || best_.value == 0;
  best_.lower = best_.found() ? best_.value : limits_.ignore_beyond;
  if (!best_.complete) {
    // What is left on the stack may be nearer.
    float nearest_left = not_looked_at_;
    for (std::uint32_t i = 0; i < search_.stack_size; ++i)
      nearest_left = std::min(nearest_left, search_.stack[i].bound);
    best_.lower = std::min(best_.lower, (search_.base + double{nearest_left}) / unit_);
  }
  if (near_ != nullptr) {
    if (finished && !ended_)
      near_->horizon = best_.value + slack_;
    else
      near_->clear();
  }
  tell(stats, search_.counts, exact_tests_);
  return best_;
}

void Nearest::gather(NearPairs& near, double reach, Stats* stats) {
  Fuel fuel;
  gather(near, reach, stats, fuel);
}

void Nearest::gather(NearPairs& near, double reach, Stats* stats, Fuel& fuel) {
  only_gathers_ = true;
  keep(near, reach);
  near.horizon = walk(fuel) ? slack_ : 0;
  tell(stats, search_.counts, 0);
}

Distance oriented_distance(const OrientedPair& bodies, const DistanceLimits& limits, SearchMemory& memory, Fuel& fuel,
                           Stats* stats) {
  if (bodies.empty()) return {};
  return Nearest(bodies, limits, memory).search(fuel, stats);
}

}  // namespace snug::query
