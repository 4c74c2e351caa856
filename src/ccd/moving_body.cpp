#include "ccd/moving_body.hpp"

#include "shape/trees.hpp"

namespace snug::detail {

MovingBody::MovingBody(const Shape& shape, const CancelToken* cancel)
    : shape_(shape),
      tree_(&Access::data(shape_).get<SurfaceTree>(cancel)),
      triangles_(shape_.mesh().triangles()),
      vertices_(shape_.mesh().vertices().begin(), shape_.mesh().vertices().end()),
      nodes_(Access::data(shape_).get<MovingShape>().boxes),
      radius_(Access::data(shape_).get<MovingShape>().radius) {}

MovingBody::MovingBody(const Shape& shape, std::vector<Point3> vertices)
    : shape_(shape),
      tree_(&Access::data(shape_).get<SurfaceTree>()),
      triangles_(shape_.mesh().triangles()),
      vertices_(std::move(vertices)),
      nodes_(fit_node_boxes(*tree_, triangles_, vertices_)),
      radius_(radius_about_origin(triangles_, vertices_)) {}

}  // namespace snug::detail
