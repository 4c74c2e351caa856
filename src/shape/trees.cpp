#include "shape/trees.hpp"

namespace snug::detail {

AabbTree SearchStructure<AabbTree>::build(const ShapeData& shape, const CancelToken* cancel) {
  return build_aabb_tree(shape.mesh, cancel);
}

ObbTree SearchStructure<ObbTree>::build(const ShapeData& shape, const CancelToken* /*cancel*/) {
  return build_obb_tree(shape.mesh, shape.options);
}

RayBvh SearchStructure<RayBvh>::build(const ShapeData& shape, const CancelToken* cancel) {
  return build_ray_bvh(shape.get<ObbTree>(cancel), shape.mesh);
}

NodeBoxes SearchStructure<NodeBoxes>::build(const ShapeData& shape, const CancelToken* cancel) {
  return fit_node_boxes(shape.get<AabbTree>(cancel), shape.mesh.triangles(), shape.mesh.vertices());
}

RTree SearchStructure<RTree>::build(const ShapeData& shape, const CancelToken* /*cancel*/) {
  return build_rtree(shape.mesh);
}

DopTree SearchStructure<DopTree>::build(const ShapeData& shape, const CancelToken* /*cancel*/) {
  return build_dop_tree(shape.mesh);
}

Topology SearchStructure<Topology>::build(const ShapeData& shape, const CancelToken* cancel) {
  return find_topology(shape.mesh, cancel);
}

}  // namespace snug::detail
