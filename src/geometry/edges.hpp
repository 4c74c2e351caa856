#pragma once

#include <snug/vec.hpp>

#include <cstdint>
#include <vector>

namespace snug::detail {

/// For every vertex the smallest id of a vertex with equal coordinates.
[[nodiscard]] std::vector<std::uint32_t> same_place_ids(std::span<const Point3> vertices);

/// One side of a triangle, as lo–hi with lo < hi; `forward` if the triangle runs from lo to hi.
struct EdgeUse {
  std::uint32_t lo = 0, hi = 0;
  std::uint32_t triangle = 0;
  std::uint8_t side = 0;
  bool forward = false;

  [[nodiscard]] bool same_edge(const EdgeUse& o) const noexcept { return lo == o.lo && hi == o.hi; }
};

/// All sides of the triangles, uses of one edge next to each other, then by triangle. Sides whose ends fall together
/// are left out, and so are triangles marked in `skip` (which may be empty).
[[nodiscard]] std::vector<EdgeUse> sorted_edge_uses(const TriangleMeshView& mesh,
                                                    std::span<const std::uint32_t> place_of,
                                                    const std::vector<bool>& skip = {});

/// Calls f(first, last) for the range of uses of each edge.
template <class F>
void for_each_edge(std::span<const EdgeUse> uses, F&& f) {
  for (std::size_t i = 0; i < uses.size();) {
    std::size_t j = i + 1;
    while (j < uses.size() && uses[j].same_edge(uses[i])) ++j;
    f(uses.subspan(i, j - i));
    i = j;
  }
}

}  // namespace snug::detail
