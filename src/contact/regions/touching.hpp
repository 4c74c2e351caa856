#pragma once

#include "contact/regions/facing_depth.hpp"
#include "support/rooms.hpp"

#include <memory_resource>
#include <span>
#include <vector>

namespace snug::contact {

/// Where surfaces touch and do not cross.
struct TouchPatch {
  explicit TouchPatch(std::pmr::memory_resource* memory) : points(memory) {}

  Vec3 normal;
  std::pmr::vector<FacingPoint> points;  ///< of depth zero, on_a == on_b; at most eight
};

/// Faces that lie on one another, by connected patch and plane. Where pairs of triangles are connected and neither a face lies on another
/// nor the surfaces cross, one patch for their corners and edges: its normal separates them with the smallest translation.
/// `crosses`: per pair, not 0 if the curves pass through it.
[[nodiscard]] std::pmr::vector<TouchPatch> find_touching(const RegionBodies& bodies,
                                                         std::span<const TrianglePair> pairs,
                                                         std::span<const char> crosses, FacingDepth& depth,
                                                         std::pmr::memory_resource* memory);

}  // namespace snug::contact
