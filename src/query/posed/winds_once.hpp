#pragma once

#include "shape/shape_data.hpp"

namespace snug::detail {

/// Does a closed mesh wind around every place at most once: no two of its triangles cross, no edge has more than two
/// triangles, bodies lie beside each other and cavities in bodies? Only then is a sum of signed columns its volume.
struct WindsOnce {
  bool yes = false;
};
template <>
struct SearchStructure<WindsOnce> {
  static WindsOnce build(const ShapeData& shape, const CancelToken* cancel);
};

}  // namespace snug::detail
