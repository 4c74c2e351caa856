#include "query/ray/contained.hpp"

#include "primitive/posed_bounds.hpp"
#include "query/ray/vertex_rays.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace snug::detail {

namespace {

/// The shortest of the ways along the axes from a corner of the shell out of the other body.
void add_way_out(const VertexRays& rays, std::uint32_t vertex, Contacts& out) {
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
  if (shells == 1 && !memory.pairs.empty()) return false;
  memory.meets.assign(shells, false);
  for (const TrianglePair& pair : memory.pairs) memory.meets[links.shell[rays.of_a() ? pair.a : pair.b]] = true;
  // Shells that a vertex tells of, and others that are at the same place and would be told by it.
  memory.told.assign(shells, false);
  const auto source = rays.of_a() ? Contact::Source::vertex_of_a : Contact::Source::vertex_of_b;
  for (const Contact& contact : out.contacts)
    if (!contact.predicted && contact.source == source) mark(links, contact.vertex, memory.told);
  const Aabb box = posed_bounds(rays.target().shape(), rays.target().pose());
  bool any = false;
  for (std::uint32_t shell = 0; shell < shells; ++shell) {
    const std::uint32_t corner = links.place[links.shell_corner[shell]];
    const Point3 at = rays.posed(corner);
    if (memory.meets[shell] || !box.overlaps({at, at}) || !rays.target().holds(at)) continue;
    any = true;
    if (memory.told[shell]) continue;
    add_way_out(rays, corner, out);
    mark(links, corner, memory.told);
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

}  // namespace snug::detail
