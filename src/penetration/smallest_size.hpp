#pragma once

#include "penetration/posed_solid.hpp"
#include "shape/shape_data.hpp"
#include "support/rooms.hpp"

namespace snug::penetration {

/// The least of: the mean thickness of each closed shell that bounds material, that of all closed shells together (a thin wall around a
/// cavity), and the extent of the mesh if it has no closed shell. The mean is twice the volume over the surface, which is a plate's own
/// thickness and a third of a cube's edge; a fin that is thinner than its block does not show in it. Infinite for a mesh that is a single
/// point.
struct SmallestSize {
  double value = 0;
};
[[nodiscard]] SmallestSize build(StructureOf<SmallestSize>, const ShapeData& shape, const CancelToken* cancel);

/// Is the resolution of a pair no longer small beside one of its bodies? An overlap within the resolution may then be a rounded contact
/// or a share of the body that matters.
[[nodiscard]] bool rounding_hides(double resolution, const PosedSolid& a, const PosedSolid& b);

}  // namespace snug::penetration
