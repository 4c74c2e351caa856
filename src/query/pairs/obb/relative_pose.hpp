#pragma once

#include "bvh/obb8/obb_tree.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>
#include <snug/pose.hpp>

namespace snug::query {

/// Where tree b lies in the coordinates of tree a. Lengths are in the unit of the pair, the larger of the two trees' units.
struct RelativePose {
  double rotation[9];     ///< row-major
  double translation[3];  ///< of b's origin
  float rotation_f[9];
  float scale_a, scale_b;  ///< a tree's coordinates times its scale are in the unit of the pair
  int exponent;            ///< that unit is 2^exponent in the world
  /// Bound, in the unit of the pair, on how far the difference of a posed vertex of a and one of b may be from what this
  /// pose makes of them in exact arithmetic: the rounding of both posings and of the numbers above. See docs/exactness.md.
  double error;

  /// Half sides of both meshes' bounds, in the unit of the pair.
  double half_a[3], half_b[3];

  RelativePose() = default;
  RelativePose(const ObbTree& a, const Pose& pose_a, const ObbTree& b, const Pose& pose_b) noexcept;

  /// True if an axis of one mesh's bounds keeps the bounds apart: in doubles, so that bodies a hair apart are told apart
  /// here, where the boxes of their trees, rounded to 16 bits, overlap.
  [[nodiscard]] bool bounds_apart() const noexcept;
};

}  // namespace snug::query
