#include "bvh/aabb/node_boxes.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>

namespace snug::bvh {

namespace {

NodeBox node_box(const Aabb& box) noexcept {
  SNUG_ASSERT(!box.empty());
  NodeBox node;
  node.middle = middle_of(box);
  // Widened by what rounding may take off.
  const double rounding = 0x1p-50 * std::max(max_abs(box.lo), max_abs(box.hi));
  node.half = 0.5 * (box.hi - box.lo) + Vec3{rounding, rounding, rounding};
  return node;
}

}  // namespace

double radius_about_origin(std::span<const Index3> triangles, std::span<const Point3> vertices) noexcept {
  double squared = 0;
  for (const Index3& t : triangles)
    for (const std::uint32_t v : t) squared = std::max(squared, dot(vertices[v], vertices[v]));
  return std::sqrt(squared) * (1 + 0x1p-48);
}

NodeBoxes fit_node_boxes(const AabbTree& tree, std::span<const Index3> triangles, std::span<const Point3> vertices) {
  SNUG_ASSERT(tree.order.size() == triangles.size());
  NodeBoxes fitted{std::vector<NodeBox>(tree.nodes.size()), radius_about_origin(triangles, vertices)};
  std::vector<Aabb> boxes(tree.nodes.size());
  // Children lie behind their parents, so a walk from the back meets them first.
  for (std::size_t i = boxes.size(); i-- > 0;) {
    const AabbTree::Node& range = tree.nodes[i];
    Aabb& box = boxes[i];
    if (range.leaf()) {
      SNUG_ASSERT(range.begin < range.end && range.end <= tree.order.size());
      for (std::uint32_t k = range.begin; k < range.end; ++k)
        for (const std::uint32_t v : triangles[tree.order[k]]) box.include(vertices[v]);
    } else {
      SNUG_ASSERT(range.right > i + 1 && range.right < boxes.size());
      SNUG_ASSERT(tree.nodes[i + 1].begin == range.begin && tree.nodes[i + 1].end == tree.nodes[range.right].begin &&
                  tree.nodes[range.right].end == range.end);
      box = boxes[i + 1];
      box.include(boxes[range.right].lo);
      box.include(boxes[range.right].hi);
    }
    NodeBox& node = fitted.boxes[i] = node_box(box);
    double squared = 0;
    for (std::uint32_t k = range.begin; k < range.end; ++k)
      for (const std::uint32_t v : triangles[tree.order[k]]) {
        const Vec3 d = vertices[v] - node.middle;
        squared = std::max(squared, dot(d, d));
      }
    node.radius = std::sqrt(squared) * (1 + 0x1p-48) + 0x1p-50 * std::max(max_abs(box.lo), max_abs(box.hi));
    node.reach = (length_of(node.middle) + node.radius) * (1 + 0x1p-48);
    SNUG_ASSERT(node.radius >= 0 && node.reach >= node.radius);
  }
  return fitted;
}

}  // namespace snug::bvh
