#pragma once

#include "bvh/obb8/obb_tree.hpp"
#include "support/parallel.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>

#include <cstdint>

namespace snug::bvh {

/// Blocks that lie one after the other.
struct BlockRange {
  std::uint32_t begin = 0, end = 0;
};

/// How the area of triangles is spread. The spread of several groups follows from theirs, without cancellation: second
/// moments are about the group's own mean.
struct Moments {
  double area = 0;   ///< twice
  double mean[3];    ///< if there is area
  double second[6];  ///< xx, xy, xz, yy, yz, zz, times twelve
};

/// What boxes above some triangles need to know of them, in coordinates of the tree.
struct Spread {
  double lo[3], hi[3];  ///< bounds of the triangles, to the rounding of a double
  Moments moments;
  float coarsest_step;  ///< of their blocks
};

/// A mesh and how its coordinates become those of its tree: (x - centre) * unit.
struct MeshInTree {
  const Point3* vertices;
  const Index3* triangles;
  Point3 centre;
  double unit;
};

/// Threads for the tree of a mesh: few triangles are not worth starting any, nor any number of them.
[[nodiscard]] inline unsigned threads_for(const Mesh& mesh, const ShapeOptions& options) noexcept {
  const std::size_t worth_it = mesh.triangles().size() / 2048;
  return options.threads < 2 || worth_it < 2 ? 1U
         : worth_it < options.threads        ? static_cast<unsigned>(worth_it)
                                             : options.threads;
}

/// Sets origin and unit of a tree's coordinates.
void choose_frame(const Mesh& mesh, ObbTree& tree);
/// Fills blocks and boxes of a tree that has its frame and knows which triangles go where, and its cost. The same bits on every
/// instruction set.
void fit_obb_tree(const Mesh& mesh, ObbTree& tree, Team& team, Instructions instructions = Instructions::best);
/// What ObbTree::cost is to hold for a tree with boxes. `area` is that of the mesh, in coordinates of the tree.
[[nodiscard]] double cost_of(const ObbTree& tree, double area) noexcept;

}  // namespace snug::bvh
