#pragma once

#include "bvh/surface/surface_tree.hpp"
#include "mesh/topology.hpp"
#include "shape/shape_data.hpp"

#include <snug/mesh.hpp>

namespace snug::detail {

/// Does a closed mesh wind around every place at most once: no two of its triangles cross, no edge has more than two
/// triangles, bodies lie beside each other and cavities in bodies? Only then is a sum of signed columns its volume.
/// Throws LoopCancelled once `cancel` is.
[[nodiscard]] bool winds_once(const Mesh& mesh, const SurfaceTree& tree, const Topology& topology,
                              const CancelToken* cancel = nullptr);

/// The same of a shape, found once.
struct WindsOnce {
  bool yes = false;
};
template <>
struct SearchStructure<WindsOnce> {
  static WindsOnce build(const ShapeData& shape, const CancelToken* cancel);
};

}  // namespace snug::detail
