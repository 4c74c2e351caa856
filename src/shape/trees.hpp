#pragma once

#include "bvh/dop24/dop_tree.hpp"
#include "bvh/obb8/obb_tree.hpp"
#include "bvh/ray/ray_bvh.hpp"
#include "bvh/rtree/rtree.hpp"
#include "bvh/surface/node_boxes.hpp"
#include "bvh/surface/surface_tree.hpp"
#include "mesh/topology.hpp"
#include "shape/shape_data.hpp"

#include <vector>

// The search structures of the rooms below, as parts of a shape.

namespace snug::detail {

/// What searches over time need of a shape: boxes for the nodes of its SurfaceTree, in its own frame.
struct MovingShape {
  std::vector<NodeBox> boxes;
  double radius = 0;  ///< how far its points are from its origin at most
};

template <>
struct SearchStructure<SurfaceTree> {
  static SurfaceTree build(const ShapeData& shape, const CancelToken* cancel);
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
struct SearchStructure<MovingShape> {
  static MovingShape build(const ShapeData& shape, const CancelToken* cancel);
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
