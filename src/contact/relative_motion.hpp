#pragma once

#include <snug/pose.hpp>
#include <snug/shape.hpp>

#include <cstdint>

namespace snug::detail {

/// Two bodies at a moment.
struct PairMoment {
  Shape a, b;
  Pose pose_a, pose_b;
  std::uint64_t step = 0;  ///< its number
};

/// How far points of one body that are in the region now can have moved relative to the other since then: no less than any
/// did, but for rounding. Deformation counts; shapes that are no deformations of one another are for the caller to tell.
[[nodiscard]] double displacement(const PairMoment& then, const Shape& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b, const Aabb& region);

}  // namespace snug::detail
