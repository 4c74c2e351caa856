#include "contact/deep_telling.hpp"

#include "contact/deep_corners.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace snug::contact {

namespace {

/// A point that the surfaces of both bodies share at a place; the same whichever body comes first.
std::optional<Point3> meeting_point(const ContactBodies& bodies, const ContactMemory& memory,
                                    std::span<const std::uint32_t> place) {
  std::optional<Point3> first;
  for (const std::uint32_t i : place) {
    const TrianglePair& pair = memory.pairs[i];
    if (pair.relation != Relation::crossing) continue;
    const TriangleIntersection shared = intersection(bodies.a.posed(pair.a), bodies.b.posed(pair.b));
    for (std::uint32_t k = 0; k < shared.count; ++k)
      first = first ? std::min(*first, shared.corner[k]) : shared.corner[k];
  }
  return first;
}

}  // namespace

void list_sources(const Contacts& out, ContactMemory& memory) {
  memory.sources.clear();
  for (const Contact& contact : out.contacts)
    if (!contact.predicted && contact.source != Contact::Source::triangles)
      memory.sources.push_back(
          {source_key(contact.source == Contact::Source::vertex_of_a, contact.vertex), contact.depth});
  std::ranges::sort(memory.sources, {}, &ContactMemory::Telling::key);
}

double DeepTelling::add(std::span<const std::uint32_t> place, const PairWay& way) {
  if (!std::isfinite(way.depth)) return -1;
  if (!of_a_) {
    of_a_.emplace(bodies_.a.shape(), bodies_.a.pose(), bodies_.b, true, options_);
    of_b_.emplace(bodies_.b.shape(), bodies_.b.pose(), bodies_.a, false, options_);
  }
  double deepest = -1;
  for (const VertexRays* const rays : {&*of_a_, &*of_b_}) {
    const DeepCorners corners(*rays, rays->of_a() ? way.normal : -way.normal);
    const std::uint32_t from = deepest_corner(place, rays->of_a());
    if (!corners.begin_at(from, out_.stats)) continue;
    if (const auto met = meeting_point(bodies_, memory_, place))
      deepest = std::max(deepest, corners.add(from, *met, out_));
  }
  return deepest;
}

void DeepTelling::end() {
  if (out_.contacts.size() == first_) return;
  const auto is_told = [&](const Contact& c) {
    const std::uint64_t key = source_key(c.source == Contact::Source::vertex_of_a, c.vertex);
    return std::ranges::binary_search(memory_.sources, key, {}, &ContactMemory::Telling::key);
  };
  SNUG_ASSERT(out_.contacts.size() > first_ && out_.stats.completed >= out_.contacts.size() - first_);
  out_.stats.completed -= out_.contacts.size() - first_;
  const auto added = out_.contacts.begin() + static_cast<std::ptrdiff_t>(first_);
  out_.contacts.erase(std::remove_if(added, out_.contacts.end(), is_told), out_.contacts.end());
  const auto left = std::span(out_.contacts).subspan(first_);
  std::ranges::sort(left, {},
                    [](const Contact& c) { return std::tuple(c.id, c.depth, std::max(c.normal, -c.normal)); });
  const auto twice = std::ranges::unique(left, {}, &Contact::id);
  out_.contacts.resize(out_.contacts.size() - twice.size());
  out_.stats.completed += out_.contacts.size() - first_;
  list_sources(out_, memory_);
}

std::uint32_t DeepTelling::deepest_corner(std::span<const std::uint32_t> place, bool of_a) const {
  const RayTarget& body = of_a ? bodies_.a : bodies_.b;
  std::uint32_t deepest = 0;
  std::pair<double, Point3> least(std::numeric_limits<double>::infinity(), Point3{});
  std::size_t next = 0;
  for (const std::uint32_t i : place) {
    const TrianglePair& pair = memory_.pairs[i];
    if (pair.relation != Relation::crossing) continue;
    SNUG_ASSERT(next < memory_.crossed.size());
    const auto& [a, b, out_a, out_b] = memory_.crossed[next++];
    const Triangle &own = of_a ? a : b, &other = of_a ? b : a;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::pair here(dot(of_a ? out_b : out_a, own[k] - other[0]), own[k]);
      if (here < least) least = here, deepest = body.mesh().triangles()[of_a ? pair.a : pair.b][k];
    }
  }
  return body.contact_mesh().links().place[deepest];
}

}  // namespace snug::contact
