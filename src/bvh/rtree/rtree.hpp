#pragma once

#include "support/rooms.hpp"

#include <snug/mesh.hpp>
#include <snug/vec.hpp>

#include <cstdint>
#include <vector>

namespace snug::bvh {

/// Two levels of R-trees over a mesh, in the shape's own frame: one of its surfaces and, for each surface, one of its
/// triangles (Figueiredo's SBV and TBV). As in every R-tree, all leaves of a tree lie equally deep and every node but a
/// root is at least half full. Bulk loaded; the same on every machine.
///
/// One array holds it all. An entry is a node, whose children lie side by side, or what a leaf holds: a surface in the
/// upper tree, a triangle in the lower ones.
struct RTree {
  static constexpr std::uint32_t k_fan_out = 4;

  struct Entry {
    Aabb box;                 ///< of the vertices below, without margin
    std::uint32_t first = 0;  ///< first child, or the surface's or triangle's id
    std::uint32_t count = 0;  ///< children; 0 for a surface or triangle

    [[nodiscard]] bool item() const noexcept { return count == 0; }
  };
  std::vector<Entry> entries;                  ///< the first is the root of the surfaces
  std::vector<std::uint32_t> root_of_surface;  ///< entry at which the triangles of a surface begin; 0 if it has none

  [[nodiscard]] const Entry& root() const noexcept { return entries[0]; }
  [[nodiscard]] const Entry& triangles_of(std::uint32_t surface) const noexcept {
    return entries[root_of_surface[surface]];
  }
};
static_assert(sizeof(RTree::Entry) == 56);

[[nodiscard]] RTree build_rtree(const Mesh& mesh);

/// True if every entry's box is exactly that of what lies below, leaves lie equally deep, nodes are filled as promised, and
/// every triangle is found once, below its own surface.
[[nodiscard]] bool valid(const RTree& tree, const Mesh& mesh);

}  // namespace snug::bvh
