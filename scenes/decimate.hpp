#pragma once

#include "scenes/polygonise.hpp"

#include <cstddef>

namespace snug::scenes {

/// Contracts edges of a closed manifold, the one that changes the shape least first (quadric errors after Garland and
/// Heckbert 1997), until exactly `vertices` are left. Never changes the topology, and never turns a triangle over. Stops
/// early when no edge can be contracted any more.
[[nodiscard]] TriangleSoup decimate(const TriangleSoup& closed, std::size_t vertices);

}  // namespace snug::scenes
