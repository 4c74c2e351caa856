#include "contact/place_way.hpp"

#include "contact/pair_span.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace snug::contact {

namespace {

/// Ways that are tried, at most: those along which some pair overlaps least.
constexpr std::size_t k_most_ways = 48;
/// What leads into the open, give or take some degrees.
constexpr double k_slant = 0.1;
/// That may be so many times as long as what does not: a card that lies in the floor but for one corner has no other way there than all
/// the way to the floor's end.
constexpr double k_longer = 3;
/// Share of a way that is as good as none.
constexpr double k_hair_of_way = 1e-9;

using Crossed = ContactMemory::Crossed;

/// Ways of equal length are told apart by direction, whichever body is the first.
auto order_of(const PairWay& way) noexcept { return std::tuple(way.depth, std::max(way.normal, -way.normal)); }

/// True if a's triangles come first in space: which of two opposite ways is taken must not depend on whose body is called a.
bool comes_first(std::span<const Crossed> pairs) noexcept {
  if (pairs.empty()) return true;
  std::array<Point3, 3> a = sorted_corners(pairs[0].a).corner, b = sorted_corners(pairs[0].b).corner;
  for (const Crossed& pair : pairs.subspan(1)) {
    a = std::min(a, sorted_corners(pair.a).corner);
    b = std::min(b, sorted_corners(pair.b).corner);
  }
  return a < b;
}

/// Directions across sides of either triangle that pass through the plane of the other, but for flat ones. Where an edge passes over
/// an edge this is the way apart of all that meet there, while each two of them are parted sooner by slipping past a side.
void offer_sides(const Crossed& pair, const PairSpan& span, unsigned flat_a, unsigned flat_b,
                 std::vector<PairWay>& offered) {
  const auto passing = [](const Triangle& own, const Triangle& other, const Vec3& out, unsigned flat) {
    std::array<bool, 3> below, passes;
    for (std::size_t k = 0; k < 3; ++k) below[k] = dot(out, own[k] - other[0]) < 0;
    for (std::size_t k = 0; k < 3; ++k) passes[k] = below[k] != below[(k + 1) % 3] && (flat >> k & 1) == 0;
    return passes;
  };
  const auto of_a = passing(pair.a, pair.b, pair.out_b, flat_a), of_b = passing(pair.b, pair.a, pair.out_a, flat_b);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (!of_a[i] || !of_b[j]) continue;
      const Vec3 across = across_sides(pair.a[(i + 1) % 3] - pair.a[i], pair.b[(j + 1) % 3] - pair.b[j]);
      if (across == Vec3{}) continue;
      for (const Vec3& n : {across, -across})
        if (leads_out(n, pair.out_a, pair.out_b)) offered.push_back({n, span.along(n)});
    }
  }
}

void list_crossed(const ContactBodies& bodies, ContactMemory& memory, std::span<const std::uint32_t> place) {
  memory.crossed.clear(), memory.offered.clear();
  for (const std::uint32_t i : place) {
    const TrianglePair& pair = memory.pairs[i];
    if (pair.relation != Relation::crossing) continue;
    const Crossed crossed{bodies.a.posed(pair.a), bodies.b.posed(pair.b), bodies.a.outward(pair.a),
                          bodies.b.outward(pair.b)};
    memory.crossed.push_back(crossed);
    const PairSpan span(crossed.a, crossed.b);
    for (const Vec3& normal : {crossed.out_b, -crossed.out_a})
      if (normal != Vec3{}) memory.offered.push_back({normal, span.along(normal), true});
    memory.ways[i] = way_of(bodies, pair);
    memory.offered.push_back(memory.ways[i]);
    offer_sides(crossed, span, bodies.a.contact_mesh().flat_sides(pair.a), bodies.b.contact_mesh().flat_sides(pair.b),
                memory.offered);
  }
}

/// Each direction once.
void thin_out(std::vector<PairWay>& ways) {
  std::ranges::sort(ways, [](const PairWay& x, const PairWay& y) {
    return std::tie(x.normal, x.depth) < std::tie(y.normal, y.depth);
  });
  const auto twice = std::ranges::unique(ways, {}, &PairWay::normal);
  ways.erase(twice.begin(), twice.end());
  std::ranges::sort(ways, {}, order_of);
  if (ways.size() > k_most_ways) ways.resize(k_most_ways);
}

/// How far it takes to part all of them; infinite if that is no less than `most`, or leads into a body where it must not.
double needed(std::span<const Crossed> pairs, const Vec3& normal, bool into_the_open, double most) noexcept {
  double furthest = 0;
  for (const Crossed& pair : pairs) {
    if (into_the_open && (dot(normal, pair.out_b) < -k_slant || dot(normal, pair.out_a) > k_slant))
      return std::numeric_limits<double>::infinity();
    furthest = std::max(furthest, overlap_along(normal, pair.a, pair.b));
    if (furthest > most) return std::numeric_limits<double>::infinity();
  }
  return furthest;
}

/// How far ahead a ray from a corner leaves the body that the corner lies in; 0 if it lies in none.
double exit_of(const RayTarget& body, const Point3& corner, const Vec3& along, ContactStats& stats) {
  const auto hit = body.meet({corner, along}, {}, stats).ahead;
  return hit && hit->from_inside ? hit->t : 0;
}

/// How far a has to go along a way until no corner of either is inside the other; infinite if that is no less than `most`. Begins with
/// pair `next`, and leaves there the one that said so: it is likely to say so of the next way, too.
double frees_all(const ContactBodies& bodies, ContactMemory& memory, const PairWay& way, double most, std::size_t& next,
                 ContactStats& stats) {
  const std::span<const Crossed> pairs = memory.crossed;
  SNUG_ASSERT(next == 0 || next < pairs.size());
  double furthest = way.depth;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (!memory.spend(1)) break;
    const std::size_t i = (next + k) % pairs.size();
    for (std::size_t corner = 0; corner < 3; ++corner) {
      furthest = std::max({furthest, exit_of(bodies.b, pairs[i].a[corner], way.normal, stats),
                           exit_of(bodies.a, pairs[i].b[corner], -way.normal, stats)});
      if (furthest < most) continue;
      next = i;
      return std::numeric_limits<double>::infinity();
    }
  }
  return furthest;
}

/// Of the ways that are offered, wherever they lead, the one along which all corners are out soonest.
PairWay way_anywhere(const ContactBodies& bodies, ContactMemory& memory, bool first, ContactStats& stats) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (PairWay& way : memory.offered)
    if (memory.spend(memory.crossed.size())) way.depth = needed(memory.crossed, way.normal, false, infinity);
  std::ranges::sort(memory.offered, [&](const PairWay& x, const PairWay& y) {
    const auto here = order_of(x), there = order_of(y);
    if (here != there) return here < there;
    return first ? x.normal < y.normal : y.normal < x.normal;
  });
  PairWay best{.normal = {}, .depth = infinity};
  double soonest = infinity;
  std::size_t next = 0;
  for (const PairWay& way : memory.offered) {
    if (!(way.depth < soonest)) break;
    const double out = frees_all(bodies, memory, way, soonest, next, stats);
    if (out < soonest) soonest = out, best = way;
  }
  return best;
}

}  // namespace

bool stays_inside(const RayTarget& body, const Point3& corner, const Vec3& along, double moved, ContactStats& stats) {
  return exit_of(body, corner, along, stats) > (1 + k_hair_of_way) * moved;
}

PairWay way_of(const ContactBodies& bodies, const TrianglePair& pair) noexcept {
  const auto side = [](const RayTarget& body, std::uint32_t t) -> PairSide {
    return {body.posed(t), body.contact_mesh().facing(t), body.contact_mesh().flat_sides(t)};
  };
  return way_apart(side(bodies.a, pair.a), side(bodies.b, pair.b), pair.relation);
}

double longest_alone(const ContactMemory& memory, std::span<const std::uint32_t> place) noexcept {
  double longest = 0;
  for (const std::uint32_t i : place)
    if (memory.pairs[i].relation == Relation::crossing) longest = std::max(longest, memory.ways[i].depth);
  return longest;
}

PairWay way_of_place(const ContactBodies& bodies, ContactMemory& memory, std::span<const std::uint32_t> place,
                     std::span<const Contact> told, ContactStats& stats, const Vec3& of_all) {
  list_crossed(bodies, memory, place);
  SNUG_ASSERT(!place.empty() && memory.ways.size() == memory.pairs.size());
  for (const Contact& contact : told)
    if (!contact.predicted) memory.offered.push_back({contact.normal, 0});
  if (of_all != Vec3{}) memory.offered.push_back({of_all, 0});
  thin_out(memory.offered);
  constexpr PairWay nowhere{.normal = {}, .depth = std::numeric_limits<double>::infinity()};
  PairWay open = nowhere, any = nowhere;
  const bool first = comes_first(memory.crossed);
  for (const PairWay& offered : memory.offered) {
    if (!memory.spend(memory.crossed.size())) return nowhere;
    for (PairWay* const best : {&open, &any}) {
      PairWay way = offered;
      way.depth = needed(memory.crossed, way.normal, best == &open, best->depth);
      const auto now = order_of(way), before = order_of(*best);
      const bool turns = now == before && way.normal == -best->normal && (way.normal < best->normal) == first;
      if (now < before || turns) *best = way;
    }
  }
  // All around a body that is too large for its hole, what crosses on one side lies a whole body away from the other: then each pair goes
  // its own way.
  const bool too_long = any.depth > k_longer * longest_alone(memory, place);
  if (too_long) return nowhere;
  if (bodies.same() || !told.empty()) return open.depth <= k_longer * any.depth ? open : any;
  return open.depth <= any.depth ? open : way_anywhere(bodies, memory, first, stats);
}

}  // namespace snug::contact
