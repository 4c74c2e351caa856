#pragma once

#include "geometry/edges.hpp"
#include "support/rooms.hpp"

#include <snug/inspect.hpp>

#include <cstdint>
#include <vector>

namespace snug::mesh {

/// The triangles that should be turned around: those wound against the larger part of their shell and, where a shell is
/// (or would then be) closed, all others if the shell as a whole is inside out. A closed shell should have positive volume
/// when an even number of other closed shells lies around it. One with an odd number around it may be a cavity or a body
/// of its own, so it is left alone unless the shell next around it is inside out itself.
[[nodiscard]] std::vector<bool> find_flipped(const TriangleMeshView& mesh, std::span<const EdgeUse> sorted_uses,
                                             std::span<const std::uint32_t> shell_of, std::uint32_t shells);

}  // namespace snug::mesh
