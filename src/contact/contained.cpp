#include "contact/contained.hpp"

#include "contact/vertex_rays.hpp"
#include "contact/way_out.hpp"
#include "shape/posed_bounds.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace snug::contact {

namespace {

/// The shortest of the ways along the axes from a corner of the shell out of the other body.
void add_any_way_out(const VertexRays& rays, std::uint32_t vertex, Contacts& out) {
  const Point3 origin = rays.posed(vertex);
  std::optional<LineHit> shortest;
  Ray along{origin, {}};
  for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    const LineHits hits =
        rays.target().meet({origin, way}, {.behind = std::numeric_limits<double>::infinity()}, out.stats);
    for (const auto& [hit, sign] : {std::pair(hits.ahead, 1.0), std::pair(hits.behind, -1.0)})
      if (hit && (!shortest || hit->t < shortest->t)) shortest = hit, along.direction = sign * way;
  }
  if (!shortest) return;
  out.contacts.push_back(rays.contact(vertex, along, *shortest, false));
  out.contacts.back().id |= std::uint64_t{1} << 40;  // the vertex may have a predicted one, too
  ++out.stats.completed;
}

/// Marks the shells that have triangles at a place.
void mark(const MeshLinks& links, std::uint32_t place, std::vector<bool>& shells) {
  for (const std::uint32_t t : links.around(place)) shells[links.shell[t]] = true;
}

/// Those of the source. One corner speaks for a whole shell, since that does not meet the target's surface.
bool add_shells(const VertexRays& rays, ContactMemory& memory, Contacts& out) {
  const MeshLinks& links = rays.from().links();
  const auto shells = static_cast<std::uint32_t>(links.shell_corner.size());
  SNUG_ASSERT(shells > 0);
  if (shells == 1 && !memory.pairs.empty()) return false;
  memory.meets.assign(shells, false);
  for (const TrianglePair& pair : memory.pairs) memory.meets[links.shell[rays.of_a() ? pair.a : pair.b]] = true;
  // Shells that a vertex tells of, and others that are at the same place and would be told by it.
  memory.told.assign(shells, false);
  const auto source = rays.of_a() ? Contact::Source::vertex_of_a : Contact::Source::vertex_of_b;
  for (const Contact& contact : out.contacts)
    if (!contact.predicted && contact.source == source) mark(links, contact.vertex, memory.told);
  const Aabb box = posed_bounds(rays.target().shape(), rays.target().pose());
  const auto corner_of = [&](std::uint32_t shell) { return links.place[links.shell_corner[shell]]; };
  memory.inside.clear();
  for (std::uint32_t shell = 0; shell < shells; ++shell) {
    const Point3 at = rays.posed(corner_of(shell));
    if (memory.meets[shell] || !box.overlaps({at, at}) || rays.known_outside(corner_of(shell))) continue;
    if (rays.target().holds(at)) memory.inside.push_back(shell);
  }
  const bool any = !memory.inside.empty();
  std::erase_if(memory.inside, [&](std::uint32_t shell) { return memory.told[shell]; });
  if (memory.inside.empty()) return any;
  memory.by_a.clear();
  for (std::uint32_t t = 0; t < links.shell.size(); ++t)
    if (std::ranges::binary_search(memory.inside, links.shell[t])) memory.by_a.push_back(t);
  std::ranges::sort(memory.by_a, {}, [&](std::uint32_t t) { return std::pair(links.shell[t], t); });
  for (const std::uint32_t shell : memory.inside) {
    if (memory.told[shell]) continue;
    const auto own = std::ranges::equal_range(memory.by_a, shell, {}, [&](std::uint32_t t) { return links.shell[t]; });
    const std::size_t first = out.contacts.size();
    if (const WayOut way(rays, own, out.stats); way.found()) way.add_contacts(out);
    if (out.contacts.size() == first) add_any_way_out(rays, corner_of(shell), out);
    for (std::size_t i = first; i < out.contacts.size(); ++i) mark(links, out.contacts[i].vertex, memory.told);
  }
  return any;
}

}  // namespace

bool add_contained(const ContactBodies& bodies, const RayContactOptions& options, ContactMemory& memory,
                   Contacts& out) {
  const auto one = [](const RayTarget& body) { return body.contact_mesh().links().shell_corner.size() == 1; };
  if (!memory.pairs.empty() && one(bodies.a) && one(bodies.b)) return false;
  const VertexRays of_a(bodies.a.shape(), bodies.a.pose(), bodies.b, true, options);
  const VertexRays of_b(bodies.b.shape(), bodies.b.pose(), bodies.a, false, options);
  const bool a_inside = add_shells(of_a, memory, out), b_inside = add_shells(of_b, memory, out);
  return a_inside || b_inside;
}

}  // namespace snug::contact
