#pragma once

#include "bvh/dop24/dop_tree.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>
#include <snug/pose.hpp>

#include <array>

namespace snug::query {

/// Where DOP-tree b lies in the coordinates of DOP-tree a. Lengths are in the unit of the pair, the larger of the two
/// trees' units.
struct DopFrame {
  std::array<double, 9> rotation{};  ///< row-major
  Vec3 translation;                  ///< of b's origin
  double scale_a = 1, scale_b = 1;   ///< a tree's coordinates times its scale are in the unit of the pair
  /// Bound, in the unit of the pair, on everything that doubles round off on the way from the meshes to the two images of a
  /// pair of DOPs along an axis, the posing of both bodies included (docs/proof.md). Infinite or NaN for bodies whose
  /// coordinates lie too far apart for doubles; nothing may be told apart then.
  double error = 0;

  DopFrame(const DopTree& a, const Aabb& bounds_a, const Pose& pose_a, const DopTree& b, const Aabb& bounds_b,
           const Pose& pose_b) noexcept;
};

}  // namespace snug::query
