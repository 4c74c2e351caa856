#include "shape/boxed_mesh.hpp"

#include "shape/trees.hpp"
#include "support/assert.hpp"

#include <utility>

namespace snug::shape {

BoxedMesh::BoxedMesh(const Shape& shape, const CancelToken* cancel)
    : shape_(shape),
      tree_(&Access::data(shape_).get<AabbTree>(cancel)),
      triangles_(shape_.mesh().triangles()),
      vertices_(shape_.mesh().vertices()) {
  const NodeBoxes& fitted = Access::data(shape_).get<NodeBoxes>(cancel);
  nodes_ = fitted.boxes, radius_ = fitted.radius;
  SNUG_ASSERT(nodes_.size() == tree_->nodes.size());
}

BoxedMesh::BoxedMesh(const Shape& shape, std::vector<Point3> vertices)
    : shape_(shape), tree_(&Access::data(shape_).get<AabbTree>()), triangles_(shape_.mesh().triangles()) {
  SNUG_ASSERT(vertices.size() == shape_.mesh().vertices().size());
  NodeBoxes fitted = fit_node_boxes(*tree_, triangles_, vertices);
  own_ = std::make_shared<const Own>(Own{std::move(vertices), std::move(fitted)});
  vertices_ = own_->vertices, nodes_ = own_->fitted.boxes, radius_ = own_->fitted.radius;
  SNUG_ASSERT(nodes_.size() == tree_->nodes.size());
}

}  // namespace snug::shape
