#pragma once

#include "support/rooms.hpp"

#include <snug/analytic.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace snug::io {

/// What the names of STEP faces say when several of them stand for one surface of a mesh: a free-form surface is written
/// as flat facets, one that does not hang together as its pieces. Other programs see a name; ours reads one surface.
struct PatchMark {
  std::uint64_t id = 0;  ///< the same in all faces of the surface, no other surface of the file has it
  SurfaceKind kind = SurfaceKind::unknown;  ///< of the surface, whatever its faces are
  std::uint64_t token = 0;  ///< of the mesh, from its content: surfaces of files that were put together stay apart
  friend bool operator==(const PatchMark&, const PatchMark&) = default;
};

/// "snug.patch 00c0ffee00c0ffee 12 spline", with the token first, then the surface's name if it has one.
[[nodiscard]] std::string marked_name(const PatchMark& mark, const std::string& name);
/// A name that a mark could be seen in; written under a mark of its own, it comes back as it is.
[[nodiscard]] bool looks_marked(const std::string& name);
/// Takes the mark off the name; a name without one stays as it is.
[[nodiscard]] std::optional<PatchMark> take_mark(std::string& name);

}  // namespace snug::io
