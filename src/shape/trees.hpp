#pragma once

#include "bvh/aabb/aabb_tree.hpp"
#include "bvh/aabb/node_boxes.hpp"
#include "bvh/dop24/dop_tree.hpp"
#include "bvh/obb8/obb_tree.hpp"
#include "bvh/ray/ray_bvh.hpp"
#include "bvh/rtree/rtree.hpp"
#include "mesh/topology.hpp"
#include "shape/shape_data.hpp"
#include "support/rooms.hpp"

// The search structures of the rooms below, as parts of a shape.

namespace snug::shape {

[[nodiscard]] AabbTree build(StructureOf<AabbTree>, const ShapeData& shape, const CancelToken* cancel);
[[nodiscard]] ObbTree build(StructureOf<ObbTree>, const ShapeData& shape, const CancelToken* cancel);
[[nodiscard]] RayBvh build(StructureOf<RayBvh>, const ShapeData& shape, const CancelToken* cancel);
[[nodiscard]] NodeBoxes build(StructureOf<NodeBoxes>, const ShapeData& shape, const CancelToken* cancel);
[[nodiscard]] RTree build(StructureOf<RTree>, const ShapeData& shape, const CancelToken* cancel);
[[nodiscard]] DopTree build(StructureOf<DopTree>, const ShapeData& shape, const CancelToken* cancel);
[[nodiscard]] Topology build(StructureOf<Topology>, const ShapeData& shape, const CancelToken* cancel);

}  // namespace snug::shape
