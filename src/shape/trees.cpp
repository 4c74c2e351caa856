#include "shape/trees.hpp"

#include <atomic>

namespace snug::detail {

unsigned next_structure_slot() noexcept {
  static std::atomic<unsigned> next{0};
  return next.fetch_add(1, std::memory_order_relaxed);
}

unsigned next_memory_slot() noexcept {
  static std::atomic<unsigned> next{0};
  return next.fetch_add(1, std::memory_order_relaxed);
}

SurfaceTree SearchStructure<SurfaceTree>::build(const ShapeData& shape, const CancelToken* cancel) {
  return build_surface_tree(shape.mesh, cancel);
}

ObbTree SearchStructure<ObbTree>::build(const ShapeData& shape, const CancelToken* /*cancel*/) {
  return build_obb_tree(shape.mesh, shape.options);
}

RayBvh SearchStructure<RayBvh>::build(const ShapeData& shape, const CancelToken* cancel) {
  return build_ray_bvh(shape.get<ObbTree>(cancel), shape.mesh);
}

MovingShape SearchStructure<MovingShape>::build(const ShapeData& shape, const CancelToken* cancel) {
  return {fit_node_boxes(shape.get<SurfaceTree>(cancel), shape.mesh.triangles(), shape.mesh.vertices()),
          radius_about_origin(shape.mesh.triangles(), shape.mesh.vertices())};
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
