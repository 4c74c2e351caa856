#include "contact/edge_rays.hpp"

#include "contact/told_places.hpp"
#include "contact/vertex_rays.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace snug::contact {

namespace {

/// Rays start this share of the part of the edge that is inside from where it comes in: on the very surface there would be
/// no telling what they meet first.
constexpr double k_inset = 1.0 / 32;
/// Contacts cover what is no further from one than this share of the place.
constexpr double k_covered = 0.1;
/// Shares of the deepest contact's depth below which contacts of edges do not matter, and above which their rays run along
/// the surface they should leave by, as those of edges that stand on it do.
constexpr double k_deep = 0.25, k_too_deep = 1.5;
constexpr double k_same_way = 0.97;
/// The same where there is no vertex to compare with, as shares of what triangles would tell.
constexpr double k_half = 0.5, k_many_times = 4;
/// Contacts of edges per place, and rays.
constexpr std::uint32_t k_most_contacts = 8, k_most_rays = 16;

using Crossing = ContactMemory::Crossing;
using EdgeRay = ContactMemory::EdgeRay;

/// Where a line from `from` to `to`, ends included, passes through a triangle, in shares of its length; negative if it does
/// not. In plain doubles: it only chooses where rays are cast.
double passage(const Point3& from, const Point3& to, const Triangle& t, bool& enters) noexcept {
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]), way = to - from;
  const double before = dot(n, from - t[0]), after = dot(n, to - t[0]);
  if (!((before <= 0 && after > 0) || (before >= 0 && after < 0))) return -1;
  enters = before > after;
  const Vec3 p[3] = {t[0] - from, t[1] - from, t[2] - from};
  const double facing = enters ? -1 : 1;
  for (std::size_t k = 0; k < 3; ++k)
    if (facing * dot(way, cross(p[k], p[(k + 1) % 3])) < 0) return -1;
  SNUG_ASSERT(before != after);
  return before / (before - after);
}

class EdgeRays {
 public:
  EdgeRays(const ContactBodies& bodies, const RayContactOptions& options, ContactMemory& memory, Contacts& out)
      : bodies_(bodies),
        of_a_(bodies.a.shape(), bodies.a.pose(), bodies.b, true, options),
        of_b_(bodies.b.shape(), bodies.b.pose(), bodies.a, false, options),
        memory_(memory),
        out_(out),
        vertices_(out.contacts.size()),
        told_(out.contacts, memory) {}

  /// The crossings of the edges of both triangles of a pair.
  void list(const TrianglePair& pair, std::uint32_t place) {
    const Triangle a = bodies_.a.posed(pair.a), b = bodies_.b.posed(pair.b);
    list(bodies_.a, pair.a, a, pair.b, b, place, true);
    list(bodies_.b, pair.b, b, pair.a, a, place, false);
  }

  void order() {
    auto& all = memory_.crossings;
    const auto key = [](const Crossing& c) {
      return std::tie(c.place, c.of_a, c.from, c.to, c.at, c.enters, c.triangle, c.through);
    };
    std::ranges::sort(all, [&](const Crossing& x, const Crossing& y) { return key(x) < key(y); });
  }

  /// Those of one place, which stand together. `told`: vertices tell of it. The deepest contact added; negative if there is none.
  double cover(std::span<Crossing> crossings, bool told) {
    SNUG_ASSERT(!crossings.empty() && crossings.front().place == crossings.back().place);
    Aabb box;
    for (const Crossing& c : crossings) box.include(c.point);
    Wanted wanted{.told = told, .size = length_of(box.hi - box.lo), .middle = middle_of(box)};
    if (!(wanted.size > 0) || !std::isfinite(wanted.size)) return -1;
    const PairWay& shortest = memory_.shortest[crossings.front().place];
    const bool compared = !told && std::isfinite(shortest.depth);
    if (told) {
      double deepest = 0;
      (void)told_.any_near(wanted.middle, wanted.size, of_vertices(), [&](const Contact& contact) {
        deepest = std::max(deepest, contact.depth);
        return false;
      });
      wanted.least = k_deep * deepest, wanted.most = k_too_deep * deepest;
    } else if (compared) {
      // Where no vertex tells, edges are to tell of as much as the triangles do, or there is no use in them.
      wanted.least = k_half * shortest.depth, wanted.most = k_many_times * shortest.depth;
    }
    std::uint32_t added = add_some(crossings, wanted);
    if (added == 0 && compared) {
      // Triangles that slant across the way overlap along it by far more than bodies do, as all around a peg in its hole.
      wanted.least = k_half * least_needed(crossings, shortest);
      if (wanted.least < k_half * k_half * shortest.depth) added = add_some(crossings, wanted);
    }
    if (!told && added > 1) {
      // What is many times as deep as the shallowest, and pushes another way, has run along the surface.
      const auto made = out_.contacts.end() - added;
      const Contact least_deep =
          std::ranges::min(std::ranges::subrange(made, out_.contacts.end()), {}, &Contact::depth);
      const auto gone = std::remove_if(made, out_.contacts.end(), [&](const Contact& contact) {
        return contact.depth > k_many_times * least_deep.depth && dot(contact.normal, least_deep.normal) < k_same_way;
      });
      added -= static_cast<std::uint32_t>(out_.contacts.end() - gone);
      out_.contacts.erase(gone, out_.contacts.end());
    }
    SNUG_ASSERT(added <= k_most_contacts && added <= out_.contacts.size());
    const std::span<const Contact> made = std::span<const Contact>(out_.contacts).last(added);
    out_.stats.completed += added;
    double told_depth = -1;
    for (const Contact& contact : made) told_depth = std::max(told_depth, contact.depth);
    return told_depth;
  }

 private:
  /// Which contacts of edges are of use at a place.
  struct Wanted {
    bool told;                          ///< vertices tell of it
    double size;                        ///< of the place
    Point3 middle;                      ///< of the place
    double least = 0, most = INFINITY;  ///< depth
  };

  /// Casts rays from edges, those furthest from what is told first. The number of contacts added.
  std::uint32_t add_some(std::span<const Crossing> crossings, const Wanted& wanted) {
    memory_.edge_rays.clear();
    const double covered = k_covered * wanted.size;
    // What pushes the way a vertex does is good, however deep: the body is tilted.
    const auto agrees = [&](const Contact& made) {
      return wanted.told && told_.any_near(wanted.middle, wanted.size, of_vertices(), [&](const Contact& contact) {
        return dot(contact.normal, made.normal) > k_same_way;
      });
    };
    for (std::uint32_t i = 0; i < crossings.size(); ++i) add_candidate(crossings, i, covered, wanted.least);
    std::uint32_t added = 0;
    for (std::uint32_t rays = 0; rays < k_most_rays && added < k_most_contacts; ++rays) {
      // Ties are decided by what does not tell which body is a: edges may coincide.
      const auto best = std::ranges::min_element(memory_.edge_rays, [&](const EdgeRay& x, const EdgeRay& y) {
        if (x.apart != y.apart) return x.apart > y.apart;
        if (x.origin != y.origin) return x.origin < y.origin;
        if (x.direction != y.direction) return x.direction < y.direction;
        const Crossing &c = crossings[x.crossing], &d = crossings[y.crossing];
        const auto numbers = [](const Crossing& one) { return std::tie(one.from, one.to, one.triangle, one.through); };
        if (numbers(c) != numbers(d)) return numbers(c) < numbers(d);
        const auto own = [&](const Crossing& one) {
          return sorted_corners((one.of_a ? bodies_.a : bodies_.b).posed(one.triangle)).corner;
        };
        return own(c) < own(d);
      });
      if (best == memory_.edge_rays.end() || !(best->apart > covered)) break;
      const std::optional<Contact> made = cast(crossings[best->crossing], best->origin);
      best->apart = 0;
      if (!made) continue;
      const bool fits = made->depth >= wanted.least && made->depth <= wanted.most;
      if (!fits && !agrees(*made)) continue;
      out_.contacts.push_back(*made);
      ++added;
      for (EdgeRay& c : memory_.edge_rays) c.apart = std::min(c.apart, length_of(c.origin - place_of(*made)));
    }
    return added;
  }

  /// How far a has to be moved along a way until none of the triangles that cross at a place do; or the length of the way, if it is no less
  /// than half of that.
  [[nodiscard]] double least_needed(std::span<const Crossing> crossings, const PairWay& way) const noexcept {
    double furthest = 0;
    for (const Crossing& c : crossings) {
      const std::uint32_t a = c.of_a ? c.triangle : c.through, b = c.of_a ? c.through : c.triangle;
      furthest = std::max(furthest, way_past(way.normal, bodies_.a.posed(a), bodies_.b.posed(b), furthest));
      if (furthest >= k_half * way.depth) return way.depth;
    }
    return furthest;
  }

  [[nodiscard]] const VertexRays& rays(bool of_a) const noexcept { return of_a ? of_a_ : of_b_; }

  void list(const RayTarget& body, std::uint32_t triangle, const Triangle& own, std::uint32_t through,
            const Triangle& other, std::uint32_t place, bool of_a) {
    const MeshLinks& links = body.contact_mesh().links();
    const Index3& corners = body.mesh().triangles()[triangle];
    const bool faces_in = (of_a ? bodies_.b : bodies_.a).contact_mesh().faces_in(through);
    for (std::size_t k = 0; k < 3; ++k) {
      std::size_t i = k, j = (k + 1) % 3;
      if (links.place[corners[j]] < links.place[corners[i]]) std::swap(i, j);  // each edge one way, whoever has it
      bool enters = false;
      const double at = passage(own[i], own[j], other, enters);
      if (!(at >= 0)) continue;
      memory_.crossings.push_back({.place = place,
                                   .from = links.place[corners[i]],
                                   .to = links.place[corners[j]],
                                   .triangle = triangle,
                                   .through = through,
                                   .side = static_cast<std::uint8_t>(k),
                                   .of_a = of_a,
                                   .enters = enters != faces_in,
                                   .at = at,
                                   .point = lerp(own[i], own[j], at)});
    }
  }

  /// From crossing i along its edge to where that leaves again, or ends.
  void add_candidate(std::span<const Crossing> crossings, std::uint32_t i, double covered, double least) {
    const Crossing& c = crossings[i];
    const auto same_edge = [&](const Crossing& o) { return o.of_a == c.of_a && o.from == c.from && o.to == c.to; };
    if (i > 0 && same_edge(crossings[i - 1]) && crossings[i - 1].at == c.at && crossings[i - 1].enters == c.enters)
      return;  // by the edge's other triangle
    const VertexRays& own = rays(c.of_a);
    const std::uint32_t end = c.enters ? c.to : c.from;
    Point3 inner = own.posed(end);
    bool to_the_end = true;
    if (c.enters) {
      for (std::size_t j = i + 1; j < crossings.size() && same_edge(crossings[j]) && to_the_end; ++j)
        if (crossings[j].at > c.at) inner = crossings[j].point, to_the_end = false;
    } else {
      for (std::size_t j = i; j > 0 && same_edge(crossings[j - 1]) && to_the_end; --j)
        if (crossings[j - 1].at < c.at) inner = crossings[j - 1].point, to_the_end = false;
    }
    // Most edges of fine meshes are short beside the place and end at a vertex that tells.
    if (to_the_end && length_of(inner - c.point) <= covered &&
        std::ranges::binary_search(memory_.sources, source_key(c.of_a, end), {}, &ContactMemory::Telling::key))
      return;
    const Point3 origin = lerp(c.point, inner, k_inset);
    if (leaves_at_once(c, origin, least)) return;
    if (!std::isfinite(length_of(origin))) return;
    const double apart = told_.nearest(origin, covered);
    if (apart > covered && (own.from().flat_sides(c.triangle) >> c.side & 1) == 0)
      memory_.edge_rays.push_back({i, origin, own.edge_direction(c.triangle, c.side), apart});
  }

  /// True if a ray from the edge is soon out again by the face the edge came in by, if that goes on: its contact would be less
  /// deep than what matters.
  [[nodiscard]] bool leaves_at_once(const Crossing& c, const Point3& origin, double least) const noexcept {
    const RayTarget& other = c.of_a ? bodies_.b : bodies_.a;
    const Vec3 out = other.outward(c.through);
    const double slope = dot(rays(c.of_a).edge_direction(c.triangle, c.side), out);
    return slope > 0 && dot(out, c.point - origin) < least * slope * slope;
  }

  [[nodiscard]] std::optional<Contact> cast(const Crossing& c, const Point3& origin) {
    auto made = rays(c.of_a).cast_from_edge(c.triangle, c.side, origin, out_.stats);
    if (!made) return {};
    // An edge may come in more than once.
    std::uint32_t n = 0;
    do made->id = edge_id(c.of_a, c.from, c.to, c.enters, n++);
    while (std::ranges::any_of(std::span(out_.contacts).subspan(vertices_),
                               [&](const Contact& contact) { return contact.id == made->id; }));
    return made;
  }
  /// Contacts of edges at other places do not count, so that the order of places does not.
  [[nodiscard]] std::span<const Contact> of_vertices() const noexcept {
    return std::span(out_.contacts).first(vertices_);
  }

  const ContactBodies& bodies_;
  VertexRays of_a_, of_b_;
  ContactMemory& memory_;
  Contacts& out_;
  std::size_t vertices_;  ///< how many contacts of vertices there are, which come first
  ToldPlaces told_;       ///< those
};

}  // namespace

void add_edges(const ContactBodies& bodies, const RayContactOptions& options, ContactMemory& memory, Places& places,
               Contacts& out) {
  EdgeRays edges(bodies, options, memory, out);
  memory.crossings.clear();
  for (std::uint32_t i = 0; i < memory.pairs.size(); ++i) edges.list(memory.pairs[i], places.find(i));
  edges.order();
  const std::span<Crossing> all = memory.crossings;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end].place == all[begin].place) ++end;
    if (!memory.spend(end - begin)) return;
    const std::uint32_t place = all[begin].place;
    double& deepest = memory.deepest[place];
    deepest = std::max(deepest, edges.cover(all.subspan(begin, end - begin), deepest >= 0));
    begin = end;
  }
}

}  // namespace snug::contact
