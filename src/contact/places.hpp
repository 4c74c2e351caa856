#pragma once

#include "contact/contact_memory.hpp"
#include "mesh/mesh_links.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace snug::contact {

/// Places where bodies meet: sets of pairs of triangles that go on from one to the next across a side, as the curve along which
/// surfaces meet does. A triangle as large as the ground may be at many. As DisjointSets, in memory that is kept.
class Places {
 public:
  Places(const MeshLinks& a, const MeshLinks& b, bool same, ContactMemory& memory) : parent_(memory.parent) {
    const auto& pairs = memory.pairs;
    SNUG_ASSERT(std::ranges::is_sorted(pairs));
    parent_.resize(pairs.size());
    std::iota(parent_.begin(), parent_.end(), 0U);
    const auto join_with = [&](std::uint32_t i, std::uint32_t x, std::uint32_t y) {
      if (x == MeshLinks::k_none || y == MeshLinks::k_none) return;
      if (same && y < x) std::swap(x, y);
      const auto found = std::ranges::lower_bound(pairs, std::pair(x, y), {},
                                                  [](const TrianglePair& pair) { return std::pair(pair.a, pair.b); });
      if (found != pairs.end() && found->a == x && found->b == y)
        join(i, static_cast<std::uint32_t>(found - pairs.begin()));
    };
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
      for (const std::uint32_t next : a.neighbour[pairs[i].a]) join_with(i, next, pairs[i].b);
      for (const std::uint32_t next : b.neighbour[pairs[i].b]) join_with(i, pairs[i].a, next);
    }
  }

  /// The first pair of the place that holds pair i.
  [[nodiscard]] std::uint32_t find(std::uint32_t i) noexcept {
    SNUG_ASSERT(i < parent_.size());
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

 private:
  void join(std::uint32_t i, std::uint32_t j) noexcept {
    i = find(i), j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

  std::vector<std::uint32_t>& parent_;
};

}  // namespace snug::contact
