#pragma once

#include "bvh/aabb/aabb_tree.hpp"
#include "bvh/aabb/node_boxes.hpp"
#include "bvh/dop24/dop_tree.hpp"
#include "bvh/obb8/obb_tree.hpp"
#include "bvh/ray/ray_bvh.hpp"
#include "bvh/rtree/rtree.hpp"
#include "mesh/topology.hpp"
#include "shape/shape_data.hpp"

// The search structures of the rooms below, as parts of a shape.

namespace snug::detail {

template <>
struct SearchStructure<AabbTree> {
  static AabbTree build(const ShapeData& shape, const CancelToken* cancel);
};
template <>
struct SearchStructure<ObbTree> {
  static ObbTree build(const ShapeData& shape, const CancelToken* cancel);
};
template <>
struct SearchStructure<RayBvh> {
  static RayBvh build(const ShapeData& shape, const CancelToken* cancel);
};
template <>
struct SearchStructure<NodeBoxes> {
  static NodeBoxes build(const ShapeData& shape, const CancelToken* cancel);
};
template <>
struct SearchStructure<RTree> {
  static RTree build(const ShapeData& shape, const CancelToken* cancel);
};
template <>
struct SearchStructure<DopTree> {
  static DopTree build(const ShapeData& shape, const CancelToken* cancel);
};
template <>
struct SearchStructure<Topology> {
  static Topology build(const ShapeData& shape, const CancelToken* cancel);
};

}  // namespace snug::detail
