#pragma once

#include "bvh/surface/surface_tree.hpp"

#include <snug/vec.hpp>

#include <span>
#include <vector>

namespace snug::detail {

/// A box along the axes of the mesh's own frame and a ball about the same middle; both hold all below a node.
struct NodeBox {
  Point3 middle;
  Vec3 half;          ///< of the box
  double radius = 0;  ///< of the ball
  double reach = 0;   ///< how far it is from the origin at most
};

/// For each node of the tree. The vertices may be others than those it was built for. Rounded outward.
[[nodiscard]] std::vector<NodeBox> fit_node_boxes(const SurfaceTree& tree, std::span<const Index3> triangles,
                                                  std::span<const Point3> vertices);

/// How far vertices that triangles use are from the origin at most.
[[nodiscard]] double radius_about_origin(std::span<const Index3> triangles, std::span<const Point3> vertices) noexcept;

}  // namespace snug::detail
