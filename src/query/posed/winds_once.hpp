#pragma once

#include "shape/shape_data.hpp"
#include "support/rooms.hpp"

namespace snug::query {

/// Does a closed mesh wind around every place at most once: no two of its triangles cross, no edge has more than two
/// triangles, bodies lie beside each other and cavities in bodies? Only then is a sum of signed columns its volume.
struct WindsOnce {
  bool yes = false;
};
[[nodiscard]] WindsOnce build(StructureOf<WindsOnce>, const ShapeData& shape, const CancelToken* cancel);

}  // namespace snug::query
