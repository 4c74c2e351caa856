#pragma once

#include "contact/complete.hpp"
#include "contact/vertex_rays.hpp"
#include "support/rooms.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace snug::contact {

/// Which vertices tell, by their contacts that are not predicted, into memory.sources.
void list_sources(const Contacts& out, ContactMemory& memory);

/// Tells of places by corners that lie deep in the other body there.
class DeepTelling {
 public:
  DeepTelling(const ContactBodies& bodies, const RayContactOptions& options, ContactMemory& memory, Contacts& out)
      : bodies_(bodies), options_(options), memory_(memory), out_(out), first_(out.contacts.size()) {}

  /// Of a place whose way was the last to be asked for: memory.crossed are its triangles. The deepest contact added; negative if there is
  /// none.
  double add(std::span<const std::uint32_t> place, const PairWay& way);
  /// A corner may tell by itself, or lie below several places: then the shortest way is enough.
  void end();

 private:
  /// Of the triangles of one body the corner that is furthest behind the triangle of the other that it crosses.
  [[nodiscard]] std::uint32_t deepest_corner(std::span<const std::uint32_t> place, bool of_a) const;

  const ContactBodies& bodies_;
  const RayContactOptions& options_;
  ContactMemory& memory_;
  Contacts& out_;
  std::size_t first_;
  std::optional<VertexRays> of_a_, of_b_;  ///< once they are needed
};

}  // namespace snug::contact
