#pragma once

#include "bvh/dop24/dop.hpp"
#include "bvh/dop24/links.hpp"
#include "support/cache_aligned.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace snug::bvh {

/// A binary tree of 24-DOPs, one triangle in each leaf. Coordinates are those of the mesh, moved so that the middle of its
/// bounds is the origin and scaled by a power of two so that all lie in [-1, 1]. Nodes lie in depth-first order, the root
/// first, so that children come behind their parents.
struct DopTree {
  using Links = DopLinks;

  Point3 centre;            ///< origin of the tree's coordinates, in the mesh's
  int exponent = 0;         ///< a tree coordinate times 2^exponent is one of the mesh
  double largest = 0;       ///< magnitude of any coefficient
  std::uint32_t depth = 0;  ///< nodes on the longest way down
  std::vector<Links> links;
  CacheAlignedVector<Dop24> dops;  ///< of the nodes in `links`

  [[nodiscard]] bool empty() const noexcept { return links.empty(); }
};

/// Where a group of triangles is divided. `width` is what shapes use; the others are there to be compared with it
/// (docs/papers/raabe.md).
enum class DopSplit : std::uint8_t {
  width,   ///< least sum of triangles times width of their DOP
  area,    ///< the same with the surface of their box along the coordinates
  median,  ///< half of the triangles each, along the longest side of their middles
};

[[nodiscard]] DopTree build_dop_tree(const Mesh& mesh, DopSplit split = DopSplit::width);
/// The same tree with new DOPs, for a mesh with the same triangles and its vertices elsewhere.
[[nodiscard]] DopTree refit_dop_tree(const DopTree& tree, const Mesh& mesh);

/// What is wrong with the tree of a mesh, if anything.
[[nodiscard]] std::optional<std::string> validate(const DopTree& tree, const Mesh& mesh);

}  // namespace snug::bvh
