#include "contact/reduce.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <tuple>

namespace snug {

namespace contact {

namespace {

/// Of what has no more worth than another, what is deeper, then what comes first in space; where pairs of triangles share a
/// point, by direction and numbers. Nothing here tells which body is a.
bool better(double worth, const Contact& contact, double best_worth, const Contact& best) noexcept {
  if (worth != best_worth) return worth > best_worth;
  if (contact.depth != best.depth) return contact.depth > best.depth;
  const auto rest = [](const Contact& c) {
    const std::uint64_t a = c.triangle_a, b = c.triangle_b;
    return std::tuple(midpoint_of(c), std::max(c.normal, -c.normal), a + b, std::min(a, b));
  };
  return rest(contact) < rest(best);
}

/// Twice the area that a point adds outside of a triangle, seen along its normal.
double area_added(const Point3 (&corner)[3], const Point3& p) noexcept {
  const Vec3 n = cross(corner[1] - corner[0], corner[2] - corner[0]);
  const double size = length_of(n);
  if (!(size > 0)) return 0;
  double most = 0;
  for (std::size_t i = 0; i < 3; ++i)
    most = std::max(most, -dot(cross(corner[(i + 1) % 3] - corner[i], p - corner[i]), n) / size);
  return most;
}

/// What the contact adds to the `count` chosen ones.
double worth_of(std::span<const Contact> chosen, const Contact& contact) noexcept {
  const Point3 p = midpoint_of(contact);
  if (chosen.empty()) return 0;
  const Point3 first = midpoint_of(chosen[0]);
  if (chosen.size() == 1) return length_of(p - first);
  const Point3 second = midpoint_of(chosen[1]);
  if (chosen.size() == 2) return length_of(cross(second - first, p - first));
  return area_added({first, second, midpoint_of(chosen[2])}, p);
}

/// Twice the area that four contacts span: of a quadrangle by its diagonals, whichever they are, or of the largest triangle if
/// one lies within the others.
double area_of(const Contact& a, const Contact& b, const Contact& c, const Contact& d) noexcept {
  const Point3 p = midpoint_of(a), q = midpoint_of(b), r = midpoint_of(c), s = midpoint_of(d);
  const auto across = [](const Vec3& u, const Vec3& v) { return length_of(cross(u, v)); };
  return std::max({across(q - p, s - r), across(r - p, s - q), across(s - p, r - q), across(q - p, r - p),
                   across(q - p, s - p), across(r - p, s - p), across(r - q, s - q)});
}

/// Exchanges one of the first four for another that makes their area largest, as long as one as deep as `deepest` is left.
/// False if there is none.
bool exchange(std::span<Contact> contacts, double deepest) noexcept {
  SNUG_ASSERT(contacts.size() >= 4);
  const auto with = [&](std::size_t slot, const Contact& c) {
    const auto at = [&](std::size_t i) -> const Contact& { return i == slot ? c : contacts[i]; };
    return area_of(at(0), at(1), at(2), at(3));
  };
  const auto stays_deep = [&](std::size_t slot, const Contact& c) {
    const auto deep = [&](const Contact& one) { return one.depth >= (1 - k_as_deep) * deepest; };
    if (!(deepest > 0)) return slot > 0;  // touching only, or not even that
    for (std::size_t i = 0; i < 4; ++i)
      if (i != slot && deep(contacts[i])) return true;
    return deep(c);
  };
  // By more than rounding could.
  double most = (1 + 0x1p-20) * area_of(contacts[0], contacts[1], contacts[2], contacts[3]);
  std::size_t best = 0, best_slot = 0;
  for (std::size_t slot = 0; slot < 4; ++slot)
    for (std::size_t i = 4; i < contacts.size(); ++i) {
      if (!stays_deep(slot, contacts[i])) continue;
      const double area = with(slot, contacts[i]);
      const bool gains = area > most || (best > 0 && area == most && slot == best_slot &&
                                         better(area, contacts[i], most, contacts[best]));
      if (gains) most = area, best = i, best_slot = slot;
    }
  if (best == 0) return false;
  std::swap(contacts[best_slot], contacts[best]);
  return true;
}

}  // namespace

namespace {

/// Adds to the `count` chosen ones, which stand first, the best of those from `begin` on, until there are `most` or nothing is
/// worth it.
std::size_t choose_more(std::span<Contact> contacts, std::size_t count, std::size_t begin, std::size_t most) noexcept {
  for (; count < most && begin < contacts.size(); begin = std::max(begin, count)) {
    std::size_t best = begin;
    double best_worth = worth_of(contacts.first(count), contacts[best]);
    for (std::size_t i = begin + 1; i < contacts.size(); ++i) {
      const double worth = worth_of(contacts.first(count), contacts[i]);
      if (better(worth, contacts[i], best_worth, contacts[best])) best = i, best_worth = worth;
    }
    if (count > 0 && !(best_worth > 0)) break;  // the others lie where there is one already
    std::swap(contacts[count++], contacts[best]);
  }
  return count;
}

}  // namespace

std::size_t choose(std::span<Contact> contacts, std::size_t most) noexcept {
  SNUG_ASSERT(most <= 4);
  // What is there comes before what is only predicted, however far out that lies.
  const auto predicted = std::ranges::partition(contacts, [](const Contact& contact) { return !contact.predicted; });
  const std::size_t real = contacts.size() - predicted.size();
  const auto first = real > 0 ? contacts.first(real) : contacts;
  std::size_t count = choose_more(first, 0, 0, most);
  // Each was the best beside those before it; together they may not be.
  const double deepest = count > 0 ? contacts[0].depth : 0;
  for (int round = 0; round < 8 && count == 4 && exchange(first, deepest); ++round) {
  }
  return real > 0 ? choose_more(contacts, count, real, most) : count;
}

namespace {

bool in_order(const Contact& x, const Contact& y) noexcept {
  return std::tie(x.surface_a, x.surface_b, x.source, x.vertex, x.triangle_a, x.triangle_b, x.on_a, x.id) <
         std::tie(y.surface_a, y.surface_b, y.source, y.vertex, y.triangle_a, y.triangle_b, y.on_a, y.id);
}

/// What is said of a patch of rays beside its contacts.
void summarise(std::span<const Contact> own, ContactArea& patch) noexcept {
  SNUG_ASSERT(!own.empty());
  const Contact* deepest = &own[0];
  Vec3 places, normals;
  for (const Contact& contact : own) {
    if (contact.depth > deepest->depth) deepest = &contact;
    places = places + (midpoint_of(contact) - midpoint_of(own[0]));
    normals = normals + std::max(contact.depth, 0.0) * contact.normal;
  }
  patch.surface_a = own[0].surface_a, patch.surface_b = own[0].surface_b;
  patch.depth = deepest->depth;
  patch.centre = midpoint_of(own[0]) + (1.0 / static_cast<double>(own.size())) * places;
  const double size = length_of(normals);
  patch.normal = size > 0 ? (1 / size) * normals : deepest->normal;
}

}  // namespace

void add_ray_patches(Contacts& out, std::size_t first) {
  SNUG_ASSERT(first <= out.contacts.size());
  const auto all = std::span(out.contacts);
  std::ranges::sort(all.subspan(first), in_order);
  for (std::size_t i = first; i < all.size();) {
    const std::size_t begin = i;
    const auto same = [&](const Contact& c) {
      return c.surface_a == all[begin].surface_a && c.surface_b == all[begin].surface_b;
    };
    while (i < all.size() && same(all[i])) ++i;
    ContactArea patch;
    patch.begin = static_cast<std::uint32_t>(begin), patch.end = static_cast<std::uint32_t>(i);
    summarise(all.subspan(begin, i - begin), patch);
    out.patches.push_back(patch);
  }
}

}  // namespace contact

void reduce(Contacts& contacts) {
  std::size_t kept = 0;
  for (ContactArea& patch : contacts.patches) {
    const auto all = std::span(contacts.contacts).subspan(patch.begin, patch.end - patch.begin);
    const std::size_t count = contact::choose(all);
    SNUG_ASSERT(count <= all.size() && kept <= patch.begin);
    std::ranges::sort(all.first(count), contact::in_order);
    patch.begin = static_cast<std::uint32_t>(kept);
    for (std::size_t i = 0; i < count; ++i) contacts.contacts[kept++] = all[i];
    patch.end = static_cast<std::uint32_t>(kept);
    if (patch.kind == ContactArea::Kind::rays)
      contact::summarise(std::span(contacts.contacts).subspan(patch.begin, count), patch);
  }
  contacts.contacts.erase(contacts.contacts.begin() + static_cast<std::ptrdiff_t>(kept), contacts.contacts.end());
}

}  // namespace snug
