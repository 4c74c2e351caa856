#include "contact/opposed.hpp"

#include "contact/pair_contact.hpp"
#include "contact/pair_span.hpp"
#include "contact/place_way.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>

namespace snug::contact {

namespace {

/// Cosine of the angle beyond which ways are opposite.
constexpr double k_opposite = -0.5;
/// So many ways are tried, the shortest first: beyond that bodies meet in all directions.
constexpr std::size_t k_most_tries = 8;

constexpr PairWay k_nowhere{.normal = {}, .depth = std::numeric_limits<double>::infinity()};

/// How far a must be moved along the normal to be beyond b wherever they cross, or infinity if it is no less than `limit`.
double parts_all(const ContactBodies& bodies, const ContactMemory& memory, const Vec3& normal, double limit) {
  double needed = 0;
  for (const TrianglePair& pair : memory.pairs) {
    if (pair.relation != Relation::crossing) continue;
    needed = std::max(needed, PairSpan(bodies.a.posed(pair.a), bodies.b.posed(pair.b)).along(normal));
    if (!(needed < limit)) return k_nowhere.depth;
  }
  return needed;
}

/// True if no vertex that a contact was told of is left inside the other body once a is moved along the normal: where all but a sliver of a
/// body lies in another, moving in parts what crosses, and nothing else.
bool frees_all_told(const ContactBodies& bodies, const Vec3& normal, double moved, Contacts& out) {
  return std::ranges::all_of(out.contacts, [&](const Contact& contact) {
    const bool of_a = contact.source == Contact::Source::vertex_of_a;
    if (contact.predicted || (!of_a && contact.source != Contact::Source::vertex_of_b)) return true;
    return !stays_inside(of_a ? bodies.b : bodies.a, of_a ? contact.on_a : contact.on_b, of_a ? normal : -normal, moved,
                         out.stats);
  });
}

/// Ways of equal length are told apart by direction, whichever body is the first.
auto rank_of(const Vec3& normal, double depth) noexcept { return std::tuple(depth, std::max(normal, -normal)); }

/// The next longer way after one, of those that a contact as deep as any pushes against. Infinite if there is none.
PairWay next_way(std::span<const Contact> contacts, double deepest, const PairWay& after) noexcept {
  PairWay next = k_nowhere;
  const auto pushes_back = [&](const Contact& contact) {
    return std::ranges::any_of(contacts, [&](const Contact& other) {
      return !other.predicted && other.depth == deepest && dot(contact.normal, other.normal) < k_opposite;
    });
  };
  for (const Contact& contact : contacts) {
    if (contact.predicted || !(contact.depth < deepest)) continue;
    const auto here = rank_of(contact.normal, contact.depth);
    if (rank_of(after.normal, after.depth) < here && here < rank_of(next.normal, next.depth) && pushes_back(contact))
      next = {contact.normal, contact.depth};
  }
  return next;
}

}  // namespace

void drop_opposed(const ContactBodies& bodies, const ContactMemory& memory, std::size_t first_added, Contacts& out) {
  SNUG_ASSERT(first_added <= out.contacts.size());
  double deepest = 0;
  for (const Contact& contact : out.contacts)
    if (!contact.predicted) deepest = std::max(deepest, contact.depth);
  PairWay way{.normal = {}, .depth = -1};
  for (std::size_t tried = 0; tried < k_most_tries; ++tried) {
    way = next_way(out.contacts, deepest, way);
    if (way.depth == k_nowhere.depth) return;
    // Which of two opposite ways comes first depends on which body does.
    const bool either_way = std::ranges::any_of(out.contacts, [&](const Contact& contact) {
      return !contact.predicted && contact.depth == way.depth && contact.normal == -way.normal;
    });
    if (either_way) continue;
    const double whole = parts_all(bodies, memory, way.normal, deepest);
    if (whole == k_nowhere.depth || !frees_all_told(bodies, way.normal, whole, out)) continue;
    const auto is_opposed = [&](const Contact& contact) {
      return !contact.predicted && contact.depth > whole && dot(contact.normal, way.normal) < k_opposite;
    };
    const auto added = std::span<const Contact>(out.contacts).subspan(first_added);
    out.stats.completed -= static_cast<std::uint64_t>(std::ranges::count_if(added, is_opposed));
    std::erase_if(out.contacts, is_opposed);
    return;
  }
}

}  // namespace snug::contact
