#include "path/moving_body.hpp"

#include "geometry/vec_ops.hpp"
#include "query/shape_data.hpp"

#include <algorithm>
#include <cmath>

namespace snug::detail {

MovingBody::MovingBody(const Shape& shape)
    : MovingBody(shape, {shape.mesh().vertices().begin(), shape.mesh().vertices().end()}) {}

MovingBody::MovingBody(const Shape& shape, std::vector<Point3> vertices)
    : shape_(shape),
      tree_(&Access::data(shape_).tree()),
      triangles_(shape_.mesh().triangles()),
      vertices_(std::move(vertices)) {
  nodes_.resize(tree_->nodes.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const SurfaceTree::Node& range = tree_->nodes[i];
    Aabb box;
    for (std::uint32_t k = range.begin; k < range.end; ++k)
      for (const std::uint32_t v : triangles_[tree_->order[k]]) box.include(vertices_[v]);
    Node& node = nodes_[i];
    node.middle = middle_of(box);
    // Widened by what rounding may take off.
    const double rounding = 0x1p-50 * std::max(max_abs(box.lo), max_abs(box.hi));
    node.half = 0.5 * (box.hi - box.lo) + Vec3{rounding, rounding, rounding};
    double squared = 0;
    for (std::uint32_t k = range.begin; k < range.end; ++k)
      for (const std::uint32_t v : triangles_[tree_->order[k]]) {
        const Vec3 d = vertices_[v] - node.middle;
        squared = std::max(squared, dot(d, d));
      }
    node.radius = std::sqrt(squared) * (1 + 0x1p-48) + rounding;
  }
  for (const Index3& t : triangles_)
    for (const std::uint32_t v : t) radius_ = std::max(radius_, dot(vertices_[v], vertices_[v]));
  radius_ = std::sqrt(radius_) * (1 + 0x1p-48);
}

}  // namespace snug::detail
