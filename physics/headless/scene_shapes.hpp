#pragma once

#include "physics/headless/world_scene.hpp"

#include <snug/shape.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace snug::headless {

/// Shapes of the parts of a scene, in its own unit, for whoever asks how they lie to one another. Those of instances are
/// shared. Cheap to copy.
struct SceneShapes {
  explicit SceneShapes(const WorldScene& scene);
  std::vector<Shape> shapes;
  std::vector<bool> closed, fixed;
};

/// A part, by the box around it.
struct BoxedPart {
  Aabb box;
  std::uint32_t part = 0;
};
/// Two parts, the smaller number first.
using PartPair = std::pair<std::uint32_t, std::uint32_t>;
/// Those whose boxes share a point, in order; pairs of fixed parts are passed over.
[[nodiscard]] std::vector<PartPair> near_pairs(std::vector<BoxedPart> parts, const std::vector<bool>& fixed);

/// Two parts that overlap.
struct PartOverlap {
  PartPair pair;
  double depth = 0;  ///< of the deepest contact
};
/// Of the parts that are there (`present`), the pairs with a new one (`appear`) whose contacts are deeper than the resolution of
/// their poses, in order. Those that are flush are not among them.
[[nodiscard]] std::vector<PartOverlap> overlaps_of(const SceneShapes& scene, std::span<const Pose> poses,
                                                   const std::vector<bool>& present, const std::vector<bool>& appear);

}  // namespace snug::headless
