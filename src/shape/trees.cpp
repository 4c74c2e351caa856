#include "shape/trees.hpp"

namespace snug::shape {

AabbTree build(StructureOf<AabbTree> /*of*/, const ShapeData& shape, const CancelToken* cancel) {
  return build_aabb_tree(shape.mesh, cancel);
}

ObbTree build(StructureOf<ObbTree> /*of*/, const ShapeData& shape, const CancelToken* /*cancel*/) {
  return build_obb_tree(shape.mesh, shape.options);
}

RayBvh build(StructureOf<RayBvh> /*of*/, const ShapeData& shape, const CancelToken* cancel) {
  return build_ray_bvh(shape.get<ObbTree>(cancel), shape.mesh);
}

NodeBoxes build(StructureOf<NodeBoxes> /*of*/, const ShapeData& shape, const CancelToken* cancel) {
  return fit_node_boxes(shape.get<AabbTree>(cancel), shape.mesh.triangles(), shape.mesh.vertices());
}

RTree build(StructureOf<RTree> /*of*/, const ShapeData& shape, const CancelToken* /*cancel*/) {
  return build_rtree(shape.mesh);
}

DopTree build(StructureOf<DopTree> /*of*/, const ShapeData& shape, const CancelToken* /*cancel*/) {
  return build_dop_tree(shape.mesh);
}

Topology build(StructureOf<Topology> /*of*/, const ShapeData& shape, const CancelToken* cancel) {
  return find_topology(shape.mesh, cancel);
}

}  // namespace snug::shape
