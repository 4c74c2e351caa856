#pragma once

#include "bvh/dop24/dop_tree.hpp"
#include "support/rooms.hpp"

#include <array>
#include <span>
#include <vector>

// Leaves of two triangles that have an edge in common: half as many leaves, for one corner more in each. Only the chip's studies have
// such trees (docs/papers/raabe-chip.md).

namespace snug::bvh {

inline constexpr std::uint32_t k_no_triangle = 0xffffffff;

struct Quad {
  std::array<std::uint32_t, 2> triangle{k_no_triangle,
                                        k_no_triangle};  ///< the second is k_no_triangle for one without a partner
  /// Vertices: two of the common edge, the third of the first triangle, the third of the second. Of one that is alone: its three.
  std::array<std::uint32_t, 4> corner{};
  [[nodiscard]] bool alone() const noexcept { return triangle[1] == k_no_triangle; }
};

/// Every triangle once. Neighbours whose common DOP is narrow beside their own come together first, ties by their numbers; not the best
/// matching there is.
[[nodiscard]] std::vector<Quad> quads_of(const Mesh& mesh, std::span<const Dop24> dops);

struct QuadTree {
  DopTree tree;  ///< whose leaves lead to `leaves` instead of triangles
  std::vector<Quad> leaves;
};
[[nodiscard]] QuadTree build_quad_tree(const Mesh& mesh);

}  // namespace snug::bvh
