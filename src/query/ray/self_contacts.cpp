#include <snug/contacts.hpp>
#include <snug/self.hpp>

#include "query/ray/complete.hpp"
#include "query/ray/find_contacts.hpp"
#include "query/ray/reduce.hpp"
#include "query/shape_data.hpp"

namespace snug {

namespace detail {

namespace {

/// A vertex that has come into another part of its own body has that part's inside before it: the first hit of the ray along
/// its normal comes from inside. Against its normal, the ray leaves that part, or its own, whichever is sooner. Triangles
/// around the vertex itself do not count.
void cast_at_itself(const VertexRays& rays, Contacts& out) {
  const MeshLinks& links = rays.from().links();
  const bool inverted = rays.from().inverted();
  const auto vertices = rays.source().mesh().vertices();
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    if (!rays.from().has_ray(v) || !links.closed[links.around(v)[0]]) continue;
    ++out.stats.standard_rays;
    const Ray ray = rays.ray_of(v);
    const LineHits hits = rays.target().meet(ray, {.behind = std::numeric_limits<double>::infinity()}, out.stats, {v});
    const auto from_inside = [&](const LineHit& hit) { return !hit.grazing && hit.from_inside != inverted; };
    if (!hits.behind || !from_inside(*hits.behind)) continue;
    if (hits.ahead && from_inside(*hits.ahead)) out.contacts.push_back(rays.contact(v, ray, *hits.ahead, false));
  }
}

}  // namespace

}  // namespace detail

Result<void, ContactError> self_contacts(const Shape& shape, Scratch& scratch, Contacts& out,
                                         const RayContactOptions& options) {
  using namespace detail;
  out.clear();
  if (const auto valid = validate(options); !valid) return valid;
  out.stats.steps = out.stats.standard_steps = 1;
  ContactMemory& memory = Access::data(scratch).contacts;
  self_intersections(shape, scratch, memory.pairs, {.instructions = options.instructions}).value();
  if (memory.pairs.empty()) return {};
  const Pose at_home;
  const RayTarget target(shape, at_home, options.traversal, options.instructions);
  cast_at_itself({shape, at_home, target, true, options}, out);
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
