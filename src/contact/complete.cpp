#include "contact/complete.hpp"

#include "contact/contained.hpp"
#include "contact/deep_telling.hpp"
#include "contact/edge_rays.hpp"
#include "contact/opposed.hpp"
#include "contact/pair_contact.hpp"
#include "contact/pair_span.hpp"
#include "contact/place_way.hpp"
#include "contact/reduce.hpp"
#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "model/unposed.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

namespace snug::contact {

namespace {

using Telling = ContactMemory::Telling;

/// Of a pair that takes more than so many times as long to part as what is told near it, whichever way, nothing is told.
constexpr double k_served = 1.5;
/// Cosine of the angle between ways that are near one another.
constexpr double k_near_way = 0.8;
/// The normal of a surface is told in place of its triangle's unless two triangles overlap along it by so many times as much.
constexpr double k_much_deeper = 3;
/// Share of the size of triangles that is as good as touching.
constexpr double k_hair = 1e-6;

/// Of the contacts of a triangle's corners the deepest; negative if they have none.
double told_by_corners(const RayTarget& body, bool is_a, std::uint32_t triangle, const std::vector<Telling>& sources) {
  const MeshLinks& links = body.contact_mesh().links();
  double deepest = -1;
  for (const std::uint32_t v : body.mesh().triangles()[triangle]) {
    const std::uint64_t key = source_key(is_a, links.place[v]);
    const auto found = std::ranges::lower_bound(sources, key, {}, &Telling::key);
    if (found != sources.end() && found->key == key) deepest = std::max(deepest, found->depth);
  }
  return deepest;
}

/// The normal of the surface at a point of the world, out of the body.
Vec3 normal_at(const RayTarget& body, std::uint32_t triangle, const Point3& at) noexcept {
  const Pose& pose = body.pose();
  const Point3 home = unposed(pose, at);
  return turn(pose.matrix(), body.contact_mesh().surface_normal(body.mesh(), triangle, home));
}

/// True if two triangles that cross are parted neither by what is told anywhere, nor by moving them as far as is told of their
/// place along any way of their own.
bool is_unserved(const ContactBodies& bodies, const TrianglePair& pair, double deepest,
                 const std::vector<Contact>& contacts, PairWay& way) noexcept {
  if (pair.relation != Relation::crossing) return false;
  const Triangle ta = bodies.a.posed(pair.a), tb = bodies.b.posed(pair.b);
  const double hair = k_hair * std::max({max_abs(ta[1] - ta[0]), max_abs(ta[2] - ta[0]), max_abs(tb[1] - tb[0]),
                                         max_abs(tb[2] - tb[0])});
  // Mostly the normals settle it.
  const double served = k_served * deepest + hair;
  const PairSpan span(ta, tb);
  if (span.along(bodies.b.outward(pair.b)) <= served) return false;
  if (span.along(-bodies.a.outward(pair.a)) <= served) return false;
  way = way_of(bodies, pair);
  if (way.depth <= served) return false;
  return std::ranges::none_of(contacts, [&](const Contact& contact) {
    return !contact.predicted && span.along(contact.normal) <= k_served * contact.depth + hair;
  });
}

/// Calls visit(pairs of a place) for each, of pairs that stand in the order of their places.
template <class Visit>
void for_each_place(Places& places, std::span<const std::uint32_t> pairs, Visit&& visit) {
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::size_t end = begin + 1;
    while (end < pairs.size() && places.find(pairs[end]) == places.find(pairs[begin])) ++end;
    visit(pairs.subspan(begin, end - begin));
    begin = end;
  }
}

/// Pairs of a place that cross get the way that parts them all. Of a place that is told of already there is none if a contact leads
/// near that way: large triangles overlap by more than bodies do along any way but the very best.
void share_way(const ContactBodies& bodies, ContactMemory& memory, std::span<const std::uint32_t> place,
               const PairWay& shared, std::span<const Contact> told) {
  if (!std::isfinite(shared.depth)) return;
  const bool known = std::ranges::any_of(told, [&](const Contact& contact) {
    return !contact.predicted && dot(contact.normal, shared.normal) > k_near_way;
  });
  // Those that slant across the way overlap along it by far more than bodies do: they are moved past one another.
  const bool slanting = shared.depth > k_much_deeper * longest_alone(memory, place);
  for (const std::uint32_t i : place) {
    const TrianglePair& pair = memory.pairs[i];
    if (pair.relation != Relation::crossing) continue;
    const Triangle ta = bodies.a.posed(pair.a), tb = bodies.b.posed(pair.b);
    const bool of_face = shared.normal == bodies.b.outward(pair.b) || shared.normal == -bodies.a.outward(pair.a);
    const double depth = slanting ? way_past(shared.normal, ta, tb, 0) : overlap_along(shared.normal, ta, tb);
    memory.ways[i] = {shared.normal, depth, of_face, known};
  }
}

void add_pair(const ContactBodies& bodies, const TrianglePair& pair, const PairWay& way,
              std::vector<Contact>& contacts) {
  const Triangle ta = bodies.a.posed(pair.a), tb = bodies.b.posed(pair.b);
  const TriangleIntersection shared = intersection(ta, tb);
  for (std::uint32_t k = 0; k < shared.count; ++k) {
    Contact made;
    made.triangle_a = pair.a, made.triangle_b = pair.b;
    made.surface_a = bodies.a.mesh().surface_of(pair.a), made.surface_b = bodies.b.mesh().surface_of(pair.b);
    made.id = pair_id(pair.a, pair.b, k);
    made.normal = way.normal, made.depth = way.depth;
    if (way.of_face) {
      // Of the surface rather than of the triangle: of the one whose triangle it was.
      const Vec3 of_b = normal_at(bodies.b, pair.b, shared.corner[k]);
      const Vec3 of_a = -normal_at(bodies.a, pair.a, shared.corner[k]);
      const double along_b = dot(bodies.b.outward(pair.b), way.normal);
      const double along_a = -dot(bodies.a.outward(pair.a), way.normal);
      made.normal = along_a > along_b ? of_a : along_b > along_a ? of_b : 0.5 * of_a + 0.5 * of_b;
      const double size = length_of(made.normal);
      made.normal = size > 0.5 ? (1 / size) * made.normal : way.normal;
      if (pair.relation == Relation::crossing) {
        // Far enough to be apart across the triangle: coarse ones overlap by far more along the surface's normal.
        const double steep = dot(made.normal, way.normal);
        made.depth = overlap_along(made.normal, ta, tb);
        if (steep > 0) made.depth = std::min(made.depth, way.depth / steep);
        if (made.depth > k_much_deeper * way.depth) made.normal = way.normal, made.depth = way.depth;
      }
    }
    made.depth_bound = made.depth;
    const Vec3 half = (0.5 * made.depth) * made.normal;
    made.on_a = shared.corner[k] - half, made.on_b = shared.corner[k] + half;
    contacts.push_back(made);
  }
}

}  // namespace

void add_untold(const ContactBodies& bodies, const RayContactOptions& options, ContactMemory& memory, Contacts& out) {
  const auto& pairs = memory.pairs;
  list_sources(out, memory);
  Places places(bodies.a.contact_mesh().links(), bodies.b.contact_mesh().links(), bodies.same(), memory);
  memory.deepest.assign(pairs.size(), -1);
  SNUG_ASSERT(std::ranges::is_sorted(pairs));
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    double& deepest = memory.deepest[places.find(i)];
    deepest = std::max({deepest, told_by_corners(bodies.a, true, pairs[i].a, memory.sources),
                        told_by_corners(bodies.b, bodies.same(), pairs[i].b, memory.sources)});
  }
  memory.ways.resize(pairs.size());
  memory.shortest.assign(pairs.size(), {.normal = {}, .depth = std::numeric_limits<double>::infinity()});
  if (!bodies.same()) {
    memory.by_a.clear();
    for (std::uint32_t i = 0; i < pairs.size(); ++i)
      if (memory.deepest[places.find(i)] < 0) memory.by_a.push_back(i);
    std::ranges::sort(memory.by_a, {}, [&](std::uint32_t i) { return std::pair(places.find(i), i); });
    DeepTelling deep(bodies, options, memory, out);
    for_each_place(places, memory.by_a, [&](std::span<const std::uint32_t> place) {
      if (!memory.spend(place.size())) return;
      const std::uint32_t first = places.find(place[0]);
      memory.shortest[first] = way_of_place(bodies, memory, place, {}, out.stats);
      memory.deepest[first] = deep.add(place, memory.shortest[first]);
    });
    deep.end();
    if (!memory.spend(pairs.size())) return;
    add_edges(bodies, options, memory, places, out);
  }
  // By place and surfaces, so that each place of each two surfaces gets its own contacts.
  memory.by_a.clear();
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    if (!memory.spend(1)) return;
    const double deepest = memory.deepest[places.find(i)];
    if (deepest < 0) {
      // Ways of those that cross were asked for with their place.
      if (bodies.same() || pairs[i].relation != Relation::crossing) memory.ways[i] = way_of(bodies, pairs[i]);
    } else if (bodies.same() || !is_unserved(bodies, pairs[i], deepest, out.contacts, memory.ways[i])) {
      continue;
    }
    memory.by_a.push_back(i);
  }
  const auto surfaces = [&](std::uint32_t i) {
    return std::tuple(places.find(i), bodies.a.mesh().surface_of(pairs[i].a), bodies.b.mesh().surface_of(pairs[i].b));
  };
  std::ranges::sort(memory.by_a, [&](std::uint32_t i, std::uint32_t j) {
    const auto x = surfaces(i), y = surfaces(j);
    return x != y ? x < y : i < j;
  });
  // Ways of places that nothing told of to begin with are known already.
  const auto is_told = [&](std::uint32_t place) { return memory.deepest[place] >= 0; };
  const std::size_t before = out.contacts.size();
  DeepTelling deep(bodies, options, memory, out);
  for_each_place(places, memory.by_a, [&](std::span<const std::uint32_t> place) {
    const std::uint32_t first = places.find(place[0]);
    if ((!bodies.same() && !is_told(first)) || !memory.spend(place.size())) return;
    const auto known = std::span<const Contact>(out.contacts).first(is_told(first) ? before : 0);
    memory.shortest[first] = way_of_place(bodies, memory, place, known, out.stats, memory.shortest[first].normal);
    if (!bodies.same()) (void)deep.add(place, memory.shortest[first]);
  });
  deep.end();
  const std::span<const Contact> told = out.contacts;
  for_each_place(places, memory.by_a, [&](std::span<const std::uint32_t> place) {
    const std::uint32_t first = places.find(place[0]);
    share_way(bodies, memory, place, memory.shortest[first], is_told(first) ? told : std::span<const Contact>());
  });
  const auto add_pairs = [&](bool all) {
    for (std::size_t i = 0; i < memory.by_a.size();) {
      const std::size_t first = out.contacts.size();
      const auto group = surfaces(memory.by_a[i]);
      for (; i < memory.by_a.size() && surfaces(memory.by_a[i]) == group; ++i) {
        if (!memory.spend(1)) return;
        const PairWay& way = memory.ways[memory.by_a[i]];
        if (all || !way.none) add_pair(bodies, pairs[memory.by_a[i]], way, out.contacts);
      }
      SNUG_ASSERT(i > 0 && first <= out.contacts.size());
      const std::size_t kept = choose(std::span(out.contacts).subspan(first));
      out.contacts.resize(first + kept);
      out.stats.completed += kept;
    }
  };
  add_pairs(false);
  if (!out.touching()) add_pairs(true);  // they do share points
}

bool complete(const ContactBodies& bodies, const RayContactOptions& options, ContactMemory& memory, Contacts& out) {
  if (!memory.spend(memory.pairs.size())) return true;
  const bool meet = !memory.pairs.empty();
  const std::size_t told = out.contacts.size();
  if (meet) add_untold(bodies, options, memory, out);
  if (!memory.spend(0)) return true;
  if (add_contained(bodies, options, memory, out) || meet) {
    if (meet) drop_opposed(bodies, memory, told, out);
    return true;
  }
  std::erase_if(out.contacts, [](const Contact& contact) { return !contact.predicted; });
  return false;
}

}  // namespace snug::contact
