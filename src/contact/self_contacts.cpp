#include <snug/contacts.hpp>
#include <snug/self.hpp>

#include "contact/complete.hpp"
#include "contact/find_contacts.hpp"
#include "contact/reduce.hpp"
#include "shape/shape_data.hpp"

#include <algorithm>
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
  if (options.complete) add_untold({target, target}, options, memory, out);
  count_contacts(out);
  arrange(out);
  if (options.reduce) reduce(out);
  return {};
}

Result<Contacts, ContactError> self_contacts(const Shape& shape, Scratch& scratch, const RayContactOptions& options) {
  Contacts found;
  if (const auto done = self_contacts(shape, scratch, found, options); !done) return Failure{done.error()};
  return found;
}

}  // namespace snug
