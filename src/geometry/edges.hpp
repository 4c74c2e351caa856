#pragma once

#include "support/rooms.hpp"

#include <snug/progress.hpp>
#include <snug/vec.hpp>

#include <cstdint>
#include <vector>

namespace snug::geometry {

/// For every vertex the smallest id of a vertex with equal coordinates. Throws LoopCancelled once `cancel` is.
[[nodiscard]] std::vector<std::uint32_t> same_place_ids(std::span<const Point3> vertices,
                                                        const CancelToken* cancel = nullptr);

/// One side of a triangle, as lo–hi with lo < hi; `forward` if the triangle runs from lo to hi.
struct EdgeUse {
  std::uint32_t lo = 0, hi = 0;
  std::uint32_t triangle = 0;
  std::uint8_t side = 0;
  bool forward = false;

  [[nodiscard]] bool same_edge(const EdgeUse& o) const noexcept { return lo == o.lo && hi == o.hi; }
};

/// Do two corners fall together? Such a triangle bounds nothing: its two other sides cancel.
[[nodiscard]] bool is_collapsed(const Index3& triangle, std::span<const std::uint32_t> place_of) noexcept;

/// All sides of the triangles that are not collapsed, uses of one edge next to each other, then by triangle. Throws
/// LoopCancelled once `cancel` is.
[[nodiscard]] std::vector<EdgeUse> sorted_edge_uses(const TriangleMeshView& mesh,
                                                    std::span<const std::uint32_t> place_of,
                                                    const CancelToken* cancel = nullptr);

/// Is every edge used equally often in both directions? Nothing at all is not closed.
[[nodiscard]] bool are_balanced(std::span<const EdgeUse> sorted_uses) noexcept;

/// Calls f with the uses of each edge in turn.
template <class F>
void for_each_edge(std::span<const EdgeUse> uses, F&& f) {
  for (std::size_t i = 0; i < uses.size();) {
    std::size_t j = i + 1;
    while (j < uses.size() && uses[j].same_edge(uses[i])) ++j;
    f(uses.subspan(i, j - i));
    i = j;
  }
}

}  // namespace snug::geometry
