#include "query/ray/place_way.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace snug::detail {

namespace {

/// Ways that are tried, at most: those along which some pair overlaps least.
constexpr std::size_t k_most_ways = 48;
/// What leads into the open, give or take some degrees.
constexpr double k_slant = 0.1;

using Crossed = ContactMemory::Crossed;

/// Ways of equal length are told apart by direction, whichever body is the first.
auto order_of(const PairWay& way) noexcept { return std::tuple(way.depth, std::max(way.normal, -way.normal)); }

void list_crossed(const ContactBodies& bodies, ContactMemory& memory, std::span<const std::uint32_t> place) {
  memory.crossed.clear(), memory.offered.clear();
  for (const std::uint32_t i : place) {
    const TrianglePair& pair = memory.pairs[i];
    if (pair.relation != Relation::crossing) continue;
    const Crossed crossed{bodies.a.posed(pair.a), bodies.b.posed(pair.b), bodies.a.outward(pair.a),
                          bodies.b.outward(pair.b)};
    memory.crossed.push_back(crossed);
    for (const Vec3& normal : {crossed.out_b, -crossed.out_a})
      if (normal != Vec3{}) memory.offered.push_back({normal, overlap_along(normal, crossed.a, crossed.b), true});
    memory.offered.push_back(way_of(bodies, pair));
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

}  // namespace

PairWay way_of(const ContactBodies& bodies, const TrianglePair& pair) noexcept {
  return way_apart(bodies.a.posed(pair.a), bodies.a.contact_mesh().facing(pair.a), bodies.b.posed(pair.b),
                   bodies.b.contact_mesh().facing(pair.b), pair.relation);
}

PairWay way_of_place(const ContactBodies& bodies, ContactMemory& memory, std::span<const std::uint32_t> place,
                     std::span<const Contact> told) {
  list_crossed(bodies, memory, place);
  for (const Contact& contact : told)
    if (!contact.predicted) memory.offered.push_back({contact.normal, 0});
  thin_out(memory.offered);
  PairWay best{.normal = {}, .depth = std::numeric_limits<double>::infinity()};
  for (const bool into_the_open : {true, false}) {
    for (PairWay way : memory.offered) {
      way.depth = needed(memory.crossed, way.normal, into_the_open, best.depth);
      if (order_of(way) < order_of(best)) best = way;
    }
    if (best.depth < std::numeric_limits<double>::infinity()) break;
  }
  return best;
}

}  // namespace snug::detail
