#include "query/posed/posed_body.hpp"

#include <utility>

namespace snug::detail {

void PosedBody::assign(const Mesh& mesh, const SurfaceTree& tree, const Pose& pose) {
  tree_ = &tree;
  triangles_ = mesh.triangles();
  vertices_.resize(mesh.vertices().size());
  pose.apply(mesh.vertices(), vertices_);
  refit();
}

PosedBody PosedBody::moved(const Vec3& v) const {
  PosedBody copy = *this;
  for (Point3& p : copy.vertices_) p = p + v;
  copy.refit();
  return copy;
}

PosedBody PosedBody::with_vertices(std::vector<Point3> vertices) const {
  PosedBody copy = *this;
  copy.vertices_ = std::move(vertices);
  copy.refit();
  return copy;
}

PosedBody PosedBody::scaled(double factor) const {
  PosedBody copy = *this;
  for (Point3& p : copy.vertices_) p = factor * p;
  copy.refit();
  return copy;
}

Aabb PosedBody::box_of_triangle(std::uint32_t t) const noexcept {
  Aabb box;
  for (const std::uint32_t v : triangles_[t]) box.include(vertices_[v]);
  return box;
}

void PosedBody::refit() {
  boxes_.resize(tree_->nodes.size());
  // Children lie behind their parents, so a walk from the back meets them first.
  for (std::size_t i = tree_->nodes.size(); i-- > 0;) {
    const SurfaceTree::Node& node = tree_->nodes[i];
    Aabb box;
    if (node.leaf()) {
      for (std::uint32_t k = node.begin; k < node.end; ++k)
        for (const std::uint32_t v : triangles_[tree_->order[k]]) box.include(vertices_[v]);
    } else {
      box = boxes_[i + 1];
      box.include(boxes_[node.right].lo);
      box.include(boxes_[node.right].hi);
    }
    boxes_[i] = box;
  }
}

}  // namespace snug::detail
