#include "bvh/surface/node_boxes.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>

namespace snug::detail {

std::vector<NodeBox> fit_node_boxes(const SurfaceTree& tree, std::span<const Index3> triangles,
                                    std::span<const Point3> vertices) {
  std::vector<NodeBox> boxes(tree.nodes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const SurfaceTree::Node& range = tree.nodes[i];
    Aabb box;
    for (std::uint32_t k = range.begin; k < range.end; ++k)
      for (const std::uint32_t v : triangles[tree.order[k]]) box.include(vertices[v]);
    NodeBox& node = boxes[i];
    node.middle = middle_of(box);
    // Widened by what rounding may take off.
    const double rounding = 0x1p-50 * std::max(max_abs(box.lo), max_abs(box.hi));
    node.half = 0.5 * (box.hi - box.lo) + Vec3{rounding, rounding, rounding};
    double squared = 0;
    for (std::uint32_t k = range.begin; k < range.end; ++k)
      for (const std::uint32_t v : triangles[tree.order[k]]) {
        const Vec3 d = vertices[v] - node.middle;
        squared = std::max(squared, dot(d, d));
      }
    node.radius = std::sqrt(squared) * (1 + 0x1p-48) + rounding;
    node.reach = (length_of(node.middle) + node.radius) * (1 + 0x1p-48);
  }
  return boxes;
}

double radius_about_origin(std::span<const Index3> triangles, std::span<const Point3> vertices) noexcept {
  double squared = 0;
  for (const Index3& t : triangles)
    for (const std::uint32_t v : t) squared = std::max(squared, dot(vertices[v], vertices[v]));
  return std::sqrt(squared) * (1 + 0x1p-48);
}

}  // namespace snug::detail
