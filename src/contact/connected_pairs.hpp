#pragma once

#include "mesh/mesh_links.hpp"
#include "support/disjoint_sets.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>

namespace snug::contact {

/// Connected sets of pairs of triangles: those that continue from one to the next across a side, as the curve along which surfaces meet
/// does. `pairs` are ordered; of a mesh with itself (`same`) the smaller triangle of each is first.
[[nodiscard]] inline DisjointSets connected_pairs(const MeshLinks& a, const MeshLinks& b,
                                                  std::span<const TrianglePair> pairs, bool same,
                                                  std::pmr::memory_resource* memory) {
  DisjointSets sets(pairs.size(), memory);
  const auto join = [&](std::uint32_t i, std::uint32_t x, std::uint32_t y) {
    if (x == MeshLinks::k_none || y == MeshLinks::k_none) return;
    if (same && y < x) std::swap(x, y);
    const auto found =
        std::ranges::lower_bound(pairs, std::pair(x, y), {}, [](const TrianglePair& p) { return std::pair(p.a, p.b); });
    if (found != pairs.end() && found->a == x && found->b == y)
      sets.join(i, static_cast<std::uint32_t>(found - pairs.begin()));
  };
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    for (const std::uint32_t next : a.neighbour[pairs[i].a]) join(i, next, pairs[i].b);
    for (const std::uint32_t next : b.neighbour[pairs[i].b]) join(i, pairs[i].a, next);
  }
  return sets;
}

}  // namespace snug::contact
