#include <snug/contacts.hpp>
#include <snug/self.hpp>

#include "contact/connected_pairs.hpp"
#include "contact/find_contacts.hpp"
#include "contact/pair_contact.hpp"
#include "contact/reduce.hpp"
#include "contact/vertex_rays.hpp"
#include "shape/shape_data.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace snug {

namespace contact {

namespace {

/// Which shells of a body meet which, themselves included.
class MeetingShells {
 public:
  MeetingShells(const MeshLinks& links, const std::vector<TrianglePair>& pairs) : links_(links) {
    for (const TrianglePair& pair : pairs) met_.push_back(ordered(pair.a, pair.b));
    std::ranges::sort(met_);
    met_.erase(std::unique(met_.begin(), met_.end()), met_.end());
  }
  /// Those of two triangles.
  [[nodiscard]] bool meet(std::uint32_t t, std::uint32_t u) const noexcept {
    return std::ranges::binary_search(met_, ordered(t, u));
  }

 private:
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> ordered(std::uint32_t t, std::uint32_t u) const noexcept {
    return std::minmax({links_.shell[t], links_.shell[u]});
  }
  const MeshLinks& links_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> met_;
};

/// A vertex that has come into another part of its own body has that part's inside before it: the first hit of the ray along
/// its normal comes from inside. Against its normal, the ray leaves that part, or its own, whichever is sooner. Triangles
/// around the vertex itself do not count, nor do shells that lie within others without meeting them.
void cast_at_itself(const VertexRays& rays, const MeetingShells& shells, Contacts& out) {
  const MeshLinks& links = rays.from().links();
  const auto vertices = rays.source().mesh().vertices();
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    if (!rays.from().has_ray(v) || !links.closed[links.around(v)[0]]) continue;
    ++out.stats.standard_rays;
    const Ray ray = rays.ray_of(v);
    const LineHits hits = rays.target().meet(ray, {.behind = std::numeric_limits<double>::infinity()}, out.stats, {v});
    const auto from_inside = [&](const LineHit& hit) { return !hit.grazing && hit.from_inside; };
    if (!hits.behind || !from_inside(*hits.behind)) continue;
    if (!shells.meet(links.around(v)[0], hits.behind->triangle)) continue;
    if (hits.ahead && from_inside(*hits.ahead)) out.contacts.push_back(rays.contact(v, ray, *hits.ahead, false));
  }
}

/// Contacts of two triangles that share a point, where they do: along the direction that separates the two soonest.
void add_pair(const RayTarget& body, const TrianglePair& pair, std::vector<Contact>& contacts) {
  const ContactMesh& mesh = body.contact_mesh();
  const PairSide a{body.posed(pair.a), mesh.facing(pair.a), mesh.flat_sides(pair.a)};
  const PairSide b{body.posed(pair.b), mesh.facing(pair.b), mesh.flat_sides(pair.b)};
  const PairWay apart = way_apart(a, b, pair.relation);
  const TriangleIntersection shared = intersection(a.triangle, b.triangle);
  for (std::uint32_t k = 0; k < shared.count; ++k) {
    Contact made;
    made.triangle_a = pair.a, made.triangle_b = pair.b;
    made.surface_a = body.mesh().surface_of(pair.a), made.surface_b = body.mesh().surface_of(pair.b);
    made.id = mixed_id(pair.a, pair.b, k);
    made.normal = apart.normal, made.depth = made.depth_bound = apart.depth;
    const Vec3 half = (0.5 * made.depth) * made.normal;
    made.on_a = shared.corner[k] - half, made.on_b = shared.corner[k] + half;
    contacts.push_back(made);
  }
}

/// At most four contacts for each two surfaces of a connected set of pairs in which no vertex is a contact.
void add_pairs_without_vertices(const RayTarget& body, const std::vector<TrianglePair>& pairs, Contacts& out) {
  const MeshLinks& links = body.contact_mesh().links();
  std::vector<bool> is_contact(body.mesh().vertices().size());
  for (const Contact& contact : out.contacts) is_contact[contact.vertex] = true;
  const auto has_contact = [&](std::uint32_t triangle) {
    return std::ranges::any_of(body.mesh().triangles()[triangle],
                               [&](std::uint32_t v) { return is_contact[links.place[v]]; });
  };
  const auto set = connected_pairs(links, links, pairs, true, std::pmr::get_default_resource()).numbered();
  std::vector<bool> settled(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (has_contact(pairs[i].a) || has_contact(pairs[i].b)) settled[set[i]] = true;
  const auto group_of = [&](std::uint32_t i) {
    return std::tuple(set[i], body.mesh().surface_of(pairs[i].a), body.mesh().surface_of(pairs[i].b));
  };
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < pairs.size(); ++i)
    if (!settled[set[i]]) order.push_back(i);
  std::ranges::stable_sort(order, {}, group_of);
  for (std::size_t i = 0; i < order.size();) {
    const std::size_t first = out.contacts.size();
    const auto group = group_of(order[i]);
    for (; i < order.size() && group_of(order[i]) == group; ++i) add_pair(body, pairs[order[i]], out.contacts);
    const std::size_t kept = choose(std::span(out.contacts).subspan(first));
    out.contacts.resize(first + kept);
    out.stats.completed += kept;
  }
}

}  // namespace

}  // namespace contact

Result<void, ContactError> self_contacts(const Shape& shape, Scratch& scratch, Contacts& out,
                                         const RayContactOptions& options) {
  using namespace contact;
  const OneUser user = use(scratch);
  out.clear();
  if (const auto valid = validate(options); !valid) return valid;
  out.stats.steps = out.stats.standard_steps = 1;
  ContactMemory& memory = Access::data(scratch).get<ContactMemory>();
  self_intersections(shape, scratch, memory.pairs, {.instructions = options.instructions}).value();
  if (memory.pairs.empty()) return {};
  const Pose at_home;
  const RayTarget target(shape, at_home, options.traversal, options.instructions);
  const MeetingShells shells(target.contact_mesh().links(), memory.pairs);
  cast_at_itself({shape, at_home, target, true, options}, shells, out);
  if (options.complete) add_pairs_without_vertices(target, memory.pairs, out);
  count_contacts(out);
  add_ray_patches(out, 0);
  if (options.reduce) reduce(out);
  return {};
}

Result<Contacts, ContactError> self_contacts(const Shape& shape, Scratch& scratch, const RayContactOptions& options) {
  Contacts found;
  if (const auto done = self_contacts(shape, scratch, found, options); !done) return Failure{done.error()};
  return found;
}

}  // namespace snug
