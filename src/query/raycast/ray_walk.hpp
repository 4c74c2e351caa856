#pragma once

#include "bvh/ray/ray_bvh.hpp"
#include "support/rooms.hpp"

#include <cstdint>

namespace snug::query {

/// A walk along a line through the tree of a body, from the origin outwards, both ways at once. In coordinates of the tree, in
/// floats: hands over every triangle that the line may meet within its limits, and some that it does not. Plain pointers: it
/// runs as code for whatever instruction set, which must not instantiate anything that others share.
struct RayWalk {
  const RayNode* nodes = nullptr;
  const TriangleBlock* blocks = nullptr;
  const BlockCorners* corners = nullptr;  ///< of the blocks with the same numbers
  const Point3* vertices = nullptr;       ///< of the mesh; asked for ahead of time, not read
  float origin[3], direction[3];  ///< within 4 of the middle; the largest component of the direction in [0.5, 1]
  float inverse[3];               ///< of the direction; finite
  /// How far anything may be from where its floats say it is: the roundings of line, boxes and tests, docs/exactness.md.
  float margin = 0;
  float from = 0, to = 0;  ///< limits along the line; hits beyond are of no interest. Whoever takes may narrow them.
  bool both_ways = true;   ///< `from` may be narrowed, too
  std::uint32_t box_tests = 0, triangle_tests = 0;  ///< nodes opened, and blocks
  void* context = nullptr;
  /// Takes a triangle: the block it is in, and the lane there.
  void (*take)(RayWalk& walk, std::uint32_t block, std::uint32_t lane) = nullptr;
};

}  // namespace snug::query
