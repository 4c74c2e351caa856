#pragma once

#include "bvh/aabb/aabb_tree.hpp"
#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <span>
#include <vector>

namespace snug::bvh {

/// A box along the axes of the mesh's own frame and a ball about the same middle; both hold all below a node.
struct NodeBox {
  Point3 middle;
  Vec3 half;          ///< of the box
  double radius = 0;  ///< of the ball
  double reach = 0;   ///< how far it is from the origin at most
};

/// The boxes of a tree's nodes, in the mesh's own frame: every instance searches them there.
struct NodeBoxes {
  std::vector<NodeBox> boxes;
  double radius = 0;  ///< how far the vertices that triangles use are from the origin at most
};

/// How far the vertices that triangles use are from the origin at most.
[[nodiscard]] double radius_about_origin(std::span<const Index3> triangles, std::span<const Point3> vertices) noexcept;

/// The vertices may be others than those the tree was built for. Rounded outward.
[[nodiscard]] NodeBoxes fit_node_boxes(const AabbTree& tree, std::span<const Index3> triangles,
                                       std::span<const Point3> vertices);

}  // namespace snug::bvh
