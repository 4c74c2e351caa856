#pragma once

#include "contact/regions/facing_depth.hpp"
#include "support/rooms.hpp"

#include <span>
#include <vector>

namespace snug::contact {

/// Where surfaces touch and do not cross.
struct TouchPatch {
  Vec3 normal;
  std::vector<FacingPoint> points;  ///< of depth zero, on_a == on_b
};

/// Faces that lie on one another, by connected patch and plane. Where pairs of triangles are connected and neither a face lies on another
/// nor the surfaces cross, one patch for their corners and edges: its normal separates them with the smallest translation.
/// `crosses`: per pair, the curves pass through it.
[[nodiscard]] std::vector<TouchPatch> find_touching(const RegionBodies& bodies, std::span<const TrianglePair> pairs,
                                                    std::span<const bool> crosses, FacingDepth& depth);

/// Leaves at most four points, those that span the largest area across the normal; points[deepest] is among them.
void keep_four(std::vector<FacingPoint>& points, const Vec3& normal, std::size_t deepest);

}  // namespace snug::contact
