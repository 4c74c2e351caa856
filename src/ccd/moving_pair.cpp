#include "ccd/moving_pair.hpp"

#include "ccd/moving_body.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::ccd {

namespace {

/// Calls look(pair, stack) for pairs in their order, and for those that it pushes onto the stack in place of a pair, until it returns
/// false: then the stack holds what was not looked at.
template <class Look>
void walk(std::vector<OpenPair>& stack, Look&& look) {
  while (!stack.empty()) {
    const OpenPair pair = stack.back();
    stack.pop_back();
    if (!look(pair, stack)) return;
  }
}

/// Back to front, so that what is left keeps its order.
std::vector<OpenPair> stack_of(const std::vector<OpenPair>& pairs) { return {pairs.rbegin(), pairs.rend()}; }

std::optional<TriangleContact> crossing(double t, OpenPair triangles, const Triangle& a, const Triangle& b) {
  if (relation(a, b) != Relation::crossing) return std::nullopt;
  const TriangleIntersection shared = intersection(a, b);
  SNUG_ASSERT(shared.count > 0);
  const Point3 at = shared.count > 1 ? 0.5 * shared.corner[0] + 0.5 * shared.corner[1] : shared.corner[0];
  return TriangleContact{t, triangles.triangle_a(), triangles.triangle_b(), 0, at, at};
}

}  // namespace

std::vector<OpenPair> MovingPair::everything() const {
  if (a_->empty() || b_->empty()) return {};
  return {{0, 0}};
}

PairMotion MovingPair::over(const TimeSpan& span) const {
  PairMotion out(span);
  const bool together = span.begin < span.end && moves_along(*trajectory_a_, *trajectory_b_, span);
  const TimeSpan bounded = together ? TimeSpan{out.middle, out.middle} : span;
  out.a = trajectory_a_->over(bounded);
  out.b = trajectory_b_->over(bounded);
  return out;
}

NodeSeparation MovingPair::separation_of(const PairMotion& motion, OpenPair nodes, double enough) const {
  SNUG_ASSERT(!nodes.holds_triangles());
  ++pairs_;
  return separation(motion, *a_, nodes.a, *b_, nodes.b, enough);
}

bool MovingPair::wants_shorter_span(const PairMotion& motion, OpenPair nodes,
                                    const NodeSeparation& known) const noexcept {
  return known.motion > 4 * std::max(a_->node(nodes.a).radius, b_->node(nodes.b).radius) &&
         motion.span.begin < motion.span.end;
}

std::array<Triangle, 2> MovingPair::posed_at_middle(const PairMotion& motion, OpenPair triangles) const noexcept {
  return {posed(a_->triangle(triangles.triangle_a()), motion.a.middle),
          posed(b_->triangle(triangles.triangle_b()), motion.b.middle)};
}

MovingPair::Fate MovingPair::look_at_nodes(const PairMotion& motion, OpenPair nodes, double enough,
                                           std::vector<OpenPair>& stack) const {
  const NodeSeparation known = separation_of(motion, nodes, enough);
  if (known.gap > enough) return Fate::apart;
  if (wants_shorter_span(motion, nodes, known)) return Fate::left;
  open(*a_, *b_, nodes, [&](const OpenPair& part) { stack.push_back(part); });
  return Fate::opened;
}

OpenPairs MovingPair::still_open(const PairMotion& motion, const ContactCriterion& criterion,
                                 const std::vector<OpenPair>& pairs) const {
  OpenPairs out;
  std::vector<OpenPair> all = stack_of(pairs);
  walk(all, [&](const OpenPair& pair, std::vector<OpenPair>& stack) {
    if (!pair.holds_triangles()) {
      if (look_at_nodes(motion, pair, criterion.distance, stack) == Fate::left) out.pairs.push_back(pair);
      return true;
    }
    if (!criterion.asks_for(pair.triangle_a(), pair.triangle_b())) return true;
    const auto [a, b] = posed_at_middle(motion, pair);
    ++pairs_;
    const TriangleSeparation known = separation(motion, a, b, criterion.distance);
    if (known.apart) return true;
    out.pairs.push_back(pair);
    if (!known.may_meet_in_middle || out.in_the_middle) return true;
    if (criterion.crossing) {
      out.in_the_middle = crossing(motion.middle, pair, a, b);
    } else if (const ClosestPoints closest = closest_points(a, b); closest.distance <= criterion.distance) {
      out.in_the_middle = TriangleContact{motion.middle,    pair.triangle_a(), pair.triangle_b(),
                                          closest.distance, closest.on_a,      closest.on_b};
    }
    return true;
  });
  return out;
}

std::vector<OpenPair> MovingPair::first_open(const PairMotion& motion, const ContactCriterion& criterion,
                                             const std::vector<OpenPair>& pairs) const {
  std::vector<OpenPair> all = stack_of(pairs);
  walk(all, [&](const OpenPair& pair, std::vector<OpenPair>& stack) {
    bool left = false;
    if (!pair.holds_triangles()) {
      left = look_at_nodes(motion, pair, criterion.distance, stack) == Fate::left;
    } else if (criterion.asks_for(pair.triangle_a(), pair.triangle_b())) {
      const auto [a, b] = posed_at_middle(motion, pair);
      ++pairs_;
      left = !separation(motion, a, b, criterion.distance).apart;
    }
    if (left) stack.push_back(pair);
    return !left;
  });
  return {all.rbegin(), all.rend()};
}

template <class Look>
void MovingPair::for_each_near(const PairMotion& instant, const std::vector<OpenPair>& pairs, const double& limit,
                               Look&& look) const {
  std::vector<OpenPair> all = stack_of(pairs);
  walk(all, [&](const OpenPair& pair, std::vector<OpenPair>& stack) {
    if (pair.holds_triangles()) return look(pair);
    if (!(separation_of(instant, pair, limit).gap > limit))
      open(*a_, *b_, pair, [&](const OpenPair& part) { stack.push_back(part); });
    return true;
  });
}

std::optional<TriangleContact> MovingPair::contact_at(double t, const ContactCriterion& criterion,
                                                      const std::vector<OpenPair>& pairs, Wanted wanted) const {
  if (!criterion.crossing) return closest_at(t, criterion.distance, pairs, wanted);
  const PairMotion instant = over({t, t});
  std::optional<TriangleContact> found;
  for_each_near(instant, pairs, 0, [&](const OpenPair& pair) {
    if (!criterion.asks_for(pair.triangle_a(), pair.triangle_b())) return true;
    const auto [a, b] = posed_at_middle(instant, pair);
    ++pairs_;
    found = crossing(t, pair, a, b);
    return !found;
  });
  return found;
}

std::optional<TriangleContact> MovingPair::closest_at(double t, double within, const std::vector<OpenPair>& pairs,
                                                      Wanted wanted) const {
  const PairMotion instant = over({t, t});
  std::optional<TriangleContact> best;
  double limit = within;
  for_each_near(instant, pairs, limit, [&](const OpenPair& pair) {
    const auto [a, b] = posed_at_middle(instant, pair);
    ++pairs_;
    const geometry::Approach nearest = approach(a, b, limit);
    const double distance = nearest.points.distance;
    if (nearest.beyond || !(distance <= limit) || (best && distance == best->distance)) return true;
    SNUG_ASSERT(!best || distance < best->distance);
    best = TriangleContact{t, pair.triangle_a(), pair.triangle_b(), distance, nearest.points.on_a, nearest.points.on_b};
    limit = distance;
    return wanted != Wanted::any && limit != 0;
  });
  return best;
}

}  // namespace snug::ccd
