#pragma once

#include "contact/contact_memory.hpp"
#include "contact/ray_target.hpp"
#include "support/rooms.hpp"

#include <snug/contacts.hpp>

namespace snug::contact {

/// Two bodies as contacts see them, or one twice: then all vertices are a's.
struct ContactBodies {
  const RayTarget &a, &b;
  [[nodiscard]] bool same() const noexcept { return &a == &b; }
};

/// A vertex by side and number.
[[nodiscard]] inline std::uint64_t source_key(bool of_a, std::uint32_t vertex) noexcept {
  return (std::uint64_t{of_a ? 0U : 1U} << 32) | vertex;
}

/// Mixes three numbers to an id with its highest bit set, unlike those of vertices. As good as never the same for others.
[[nodiscard]] inline std::uint64_t mixed_id(std::uint32_t a, std::uint32_t b, std::uint32_t c) noexcept {
  std::uint64_t x = ((std::uint64_t{a} << 32) | b) + 0x9e3779b97f4a7c15ULL * (c + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return (x ^ (x >> 31)) | (std::uint64_t{1} << 63);
}

/// Of corner k of what two triangles share.
[[nodiscard]] inline std::uint64_t pair_id(std::uint32_t a, std::uint32_t b, std::uint32_t k) noexcept {
  return mixed_id(a, b, 2 * k);
}
/// Of a ray from the edge between two vertices: the n-th that is cast where it comes in, or out.
[[nodiscard]] inline std::uint64_t edge_id(bool of_a, std::uint32_t from, std::uint32_t to, bool enters,
                                           std::uint32_t n) noexcept {
  return mixed_id(from, to, 8 * n + (of_a ? 4U : 0U) + (enters ? 2U : 0U) + 1);
}

/// Holds what rays told to what is so: takes out all that is not predicted if the bodies share no point, and adds contacts
/// where they do and no ray tells. memory.pairs are all pairs of triangles that share a point, ordered. A place where bodies
/// meet is a set of such pairs that go on across sides of triangles; it is told if a corner of one of them has a contact, but for
/// those of its pairs that need a longer way apart than any contact there is deep.
/// So is a shell that lies inside the other body if one of its vertices has. Where corners lie deep in the other body below a place, they
/// tell of it as well (see DeepCorners). True if the bodies share a point.
bool complete(const ContactBodies& bodies, const RayContactOptions& options, ContactMemory& memory, Contacts& out);

/// The second half of it: contacts for the places that are not told.
void add_untold(const ContactBodies& bodies, const RayContactOptions& options, ContactMemory& memory, Contacts& out);

}  // namespace snug::contact
