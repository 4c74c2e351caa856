#pragma once

#include "query/pairs/obb/search_memory.hpp"
#include "shape/posed.hpp"
#include "simd/kernels.hpp"
#include "support/rooms.hpp"

#include <snug/distance.hpp>
#include <snug/query.hpp>

#include <optional>
#include <vector>

// Queries by trees of oriented boxes. All add what they did to `stats`, if given. Where they take fuel, what they found is good
// only if it was enough.

namespace snug::support {
class Fuel;
}

namespace snug::query {

/// Two meshes, their trees and what to run on.
struct OrientedPair : PosedPair {
  const ObbTree &tree_a, &tree_b;
  const Kernels& kernels;
  RelativePose relative{tree_a, a.pose, tree_b, b.pose};

  [[nodiscard]] bool empty() const noexcept { return tree_a.empty() || tree_b.empty(); }
};

/// Every pair of triangles that share a point, ordered by (a, b), in memory.pairs.
void oriented_pairs(const OrientedPair& bodies, SearchMemory& memory, unsigned threads, Fuel& fuel, Stats* stats);
/// The same, in the order in which one thread meets them, until the visitor has enough.
void oriented_visit(const OrientedPair& bodies, SearchMemory& memory, const PairVisitor& visit, Stats* stats);
/// One of them.
[[nodiscard]] std::optional<TrianglePair> oriented_first(const OrientedPair& bodies, SearchMemory& memory, Fuel& fuel,
                                                         Stats* stats);

/// Every pair of surfaces with triangles that share a point, ordered by (a, b), in memory.surfaces.
void oriented_surfaces(const OrientedPair& bodies, SearchMemory& memory, unsigned threads, Fuel& fuel, Stats* stats);
/// The same, each once, in the order in which one thread meets them, until the visitor has enough.
void oriented_visit_surfaces(const OrientedPair& bodies, SearchMemory& memory, const SurfaceVisitor& visit,
                             Stats* stats);

/// The closest two triangles, as far as `limits` and the fuel let it search; a little beyond what is to be ignored.
[[nodiscard]] Distance oriented_distance(const OrientedPair& bodies, const DistanceLimits& limits, SearchMemory& memory,
                                         Fuel& fuel, Stats* stats);

}  // namespace snug::query
