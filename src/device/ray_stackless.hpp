#pragma once

#include "bvh/ray/ray_bvh.hpp"
#include "query/raycast/ray_walk.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <cstdint>
#include <vector>

namespace snug::device {

// The boxes of a RayBvh in a form for devices, where a stack for each ray is dear: depth first, each with the number of the one
// to go on with if it is missed (after the stackless walks of Popov et al. 2007). Plain numbers, 32 bytes a box.

struct StacklessBox {
  static constexpr std::uint32_t k_inner = ~std::uint32_t{0};

  float lo[3];
  std::uint32_t skip;  ///< next box if this is missed, or was a block; one beyond the last ends the walk
  float hi[3];
  std::uint32_t block;  ///< of triangles, or k_inner: then what it holds follows
};
static_assert(sizeof(StacklessBox) == 32);

[[nodiscard]] std::vector<StacklessBox> flatten(const RayBvh& bvh);

/// Calls take(block) for every block whose box the line meets, enlarged by the margin of the walk, within its limits, which it
/// may narrow. In the order of the boxes.
template <class Take>
void walk_stackless(const StacklessBox* boxes, std::uint32_t count, RayWalk& walk, Take&& take) {
  for (std::uint32_t at = 0; at < count;) {
    const StacklessBox& box = boxes[at];
    SNUG_ASSERT(box.skip > at && box.skip <= count);
    float near = walk.from, far = walk.to;
    for (int i = 0; i < 3; ++i) {
      const float a = ((box.lo[i] - walk.margin) - walk.origin[i]) * walk.inverse[i];
      const float b = ((box.hi[i] + walk.margin) - walk.origin[i]) * walk.inverse[i];
      const float in = a < b ? a : b, out = a < b ? b : a;
      near = in > near ? in : near, far = out < far ? out : far;
    }
    const bool met = near <= far, inner = box.block == StacklessBox::k_inner;
    if (met && !inner) take(box.block);
    at = met && inner ? at + 1 : box.skip;
  }
}

}  // namespace snug::device
