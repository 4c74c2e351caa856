#pragma once

#include "query/convex/depth.hpp"
#include "query/convex/gap.hpp"
#include "query/convex/pair_frame.hpp"
#include "support/rooms.hpp"

namespace snug::query {

/// What SignedDistance tells, in the frame and the scaled unit of a search.
struct SignedGap {
  double value = 0, lower = 0, upper = 0;
  Point3 on_a, on_b;
  Vec3 normal = {};
};

/// Apart by the distance of their cores, less the radii; or by how deep the cores are in one another, and the radii.
[[nodiscard]] SignedGap signed_gap(const Convex& a, const Convex& b, DepthMemory& memory);
/// In closed form, of a half-space or plane.
[[nodiscard]] SignedGap signed_gap(const Plane& a, const Convex& b) noexcept;
/// Minus infinity if they cross.
[[nodiscard]] SignedGap signed_gap(const Plane& a, const Plane& b) noexcept;

/// The gap of two half-spaces or planes; of one of either, the half-space comes first.
[[nodiscard]] Gap two_planes(const Plane& a, const Plane& b) noexcept;

}  // namespace snug::query
