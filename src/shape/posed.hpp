#pragma once

#include "support/rooms.hpp"

#include <snug/pose.hpp>
#include <snug/shape.hpp>

namespace snug::shape {

/// A shape at a pose. Borrowed.
struct Posed {
  const Shape& shape;
  const Pose& pose;

  [[nodiscard]] bool is_mesh() const noexcept { return shape.is_mesh(); }
  /// Precondition: it is not a mesh.
  [[nodiscard]] const Primitive& primitive() const noexcept { return *shape.primitive(); }
};

struct PosedPair {
  Posed a, b;
};

[[nodiscard]] inline bool are_meshes(const Shape& a, const Shape& b) noexcept { return a.is_mesh() && b.is_mesh(); }

[[nodiscard]] inline bool are_valid(const Pose& a, const Pose& b) noexcept { return a.is_valid() && b.is_valid(); }

/// Two meshes at valid poses: searches among their triangles refuse all others.
[[nodiscard]] inline bool are_valid_meshes(const Shape& a, const Pose& pose_a, const Shape& b,
                                           const Pose& pose_b) noexcept {
  return are_meshes(a, b) && are_valid(pose_a, pose_b);
}

}  // namespace snug::shape
