#include "query/ray/complete.hpp"

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "query/ray/contained.hpp"
#include "query/ray/edge_rays.hpp"
#include "query/ray/pair_contact.hpp"
#include "query/ray/reduce.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace snug::detail {

namespace {

void list_sources(const Contacts& out, std::vector<std::uint64_t>& sources) {
  sources.clear();
  for (const Contact& contact : out.contacts)
    if (!contact.predicted && contact.source != Contact::Source::triangles)
      sources.push_back(source_key(contact.source == Contact::Source::vertex_of_a, contact.vertex));
  std::ranges::sort(sources);
}

bool has_source(const RayTarget& body, bool is_a, std::uint32_t triangle, const std::vector<std::uint64_t>& sources) {
  const MeshLinks& links = body.contact_mesh().links();
  return std::ranges::any_of(body.mesh().triangles()[triangle], [&](std::uint32_t v) {
    return std::ranges::binary_search(sources, source_key(is_a, links.place[v]));
  });
}

/// The normal of the surface at a point of the world, out of the body.
Vec3 normal_at(const RayTarget& body, std::uint32_t triangle, const Point3& at) noexcept {
  const Pose& pose = body.pose();
  const Point3 home = turn_back(pose.matrix(), at - pose.translation());
  return turn(pose.matrix(), body.contact_mesh().surface_normal(body.mesh(), triangle, home));
}

PairWay way_of(const ContactBodies& bodies, const TrianglePair& pair) noexcept {
  return way_apart(bodies.a.posed(pair.a), bodies.a.contact_mesh().facing(pair.a), bodies.b.posed(pair.b),
                   bodies.b.contact_mesh().facing(pair.b), pair.relation);
}

/// Of large triangles one pair may not know the way that another does: of the two that make up a box's side, only one has
/// the edge it stands on. The shortest way of a place is offered to all of its pairs; those that know none nearly as short
/// are left out, since two triangles overlap by far more than bodies do.
void share_way(const ContactBodies& bodies, const ContactMemory& memory, std::span<const std::uint32_t> place,
               std::span<PairWay> ways) noexcept {
  const PairWay* best = nullptr;
  const auto key = [](const PairWay& way) { return std::tuple(way.depth, std::max(way.normal, -way.normal)); };
  for (std::size_t i = 0; i < place.size(); ++i)
    if (memory.pairs[place[i]].relation == Relation::crossing && (best == nullptr || key(ways[i]) < key(*best)))
      best = &ways[i];
  if (best == nullptr) return;
  const Vec3 normal = best->normal;
  const double shortest = best->depth;
  constexpr double k_slant = 0.1;  // what leads into the open, give or take some degrees
  constexpr double k_too_long = 2;
  for (std::size_t i = 0; i < place.size(); ++i) {
    const TrianglePair& pair = memory.pairs[place[i]];
    if (pair.relation != Relation::crossing) continue;
    const Triangle ta = bodies.a.posed(pair.a), tb = bodies.b.posed(pair.b);
    if (dot(normal, bodies.b.outward(pair.b)) < -k_slant || dot(normal, bodies.a.outward(pair.a)) > k_slant) continue;
    const double depth = overlap_along(normal, ta, tb);
    if (depth < ways[i].depth) ways[i] = {normal, depth, false};
  }
  for (PairWay& way : ways) way.none = way.none || way.depth > k_too_long * shortest;
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
      if (pair.relation == Relation::crossing) made.depth = overlap_along(made.normal, ta, tb);
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
  list_sources(out, memory.sources);
  Places places(bodies.a.contact_mesh().links(), bodies.b.contact_mesh().links(), bodies.same(), memory);
  memory.told.assign(pairs.size(), false);
  for (std::uint32_t i = 0; i < pairs.size(); ++i)
    if (has_source(bodies.a, true, pairs[i].a, memory.sources) ||
        has_source(bodies.b, bodies.same(), pairs[i].b, memory.sources))
      memory.told[places.find(i)] = true;
  if (!bodies.same()) {
    memory.shortest.assign(pairs.size(), std::numeric_limits<double>::infinity());
    for (std::uint32_t i = 0; i < pairs.size(); ++i)
      if (const std::uint32_t place = places.find(i); !memory.told[place] && pairs[i].relation == Relation::crossing)
        memory.shortest[place] = std::min(memory.shortest[place], way_of(bodies, pairs[i]).depth);
    add_edges(bodies, options, memory, places, out);
  }
  // By place and surfaces, so that each place of each two surfaces gets its own contacts.
  memory.by_a.clear();
  for (std::uint32_t i = 0; i < pairs.size(); ++i)
    if (!memory.told[places.find(i)]) memory.by_a.push_back(i);
  const auto surfaces = [&](std::uint32_t i) {
    return std::tuple(places.find(i), bodies.a.mesh().surface_of(pairs[i].a), bodies.b.mesh().surface_of(pairs[i].b));
  };
  std::ranges::sort(memory.by_a, [&](std::uint32_t i, std::uint32_t j) {
    const auto x = surfaces(i), y = surfaces(j);
    return x != y ? x < y : i < j;
  });
  memory.ways.clear();
  for (const std::uint32_t i : memory.by_a) memory.ways.push_back(way_of(bodies, pairs[i]));
  for (std::size_t begin = 0; begin < memory.by_a.size();) {
    std::size_t end = begin + 1;
    while (end < memory.by_a.size() && places.find(memory.by_a[end]) == places.find(memory.by_a[begin])) ++end;
    share_way(bodies, memory, std::span(memory.by_a).subspan(begin, end - begin),
              std::span(memory.ways).subspan(begin, end - begin));
    begin = end;
  }
  const auto add_pairs = [&](bool all) {
    for (std::size_t i = 0; i < memory.by_a.size();) {
      const std::size_t first = out.contacts.size();
      const auto group = surfaces(memory.by_a[i]);
      for (; i < memory.by_a.size() && surfaces(memory.by_a[i]) == group; ++i)
        if (all || !memory.ways[i].none) add_pair(bodies, pairs[memory.by_a[i]], memory.ways[i], out.contacts);
      const std::size_t kept = choose(std::span(out.contacts).subspan(first));
      out.contacts.resize(first + kept);
      out.stats.completed += kept;
    }
  };
  add_pairs(false);
  if (!out.touching()) add_pairs(true);  // they do share points
}

bool complete(const ContactBodies& bodies, const RayContactOptions& options, ContactMemory& memory, Contacts& out) {
  const bool meet = !memory.pairs.empty();
  if (meet) add_untold(bodies, options, memory, out);
  if (add_contained(bodies, options, memory, out) || meet) return true;
  std::erase_if(out.contacts, [](const Contact& contact) { return !contact.predicted; });
  return false;
}

}  // namespace snug::detail
