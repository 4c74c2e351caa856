#pragma once

#include "bvh/obb8/obb_tree.hpp"
#include "support/rooms.hpp"

#include <array>

namespace snug::bvh {

/// The axes of a node's box, as it is kept, in the tree's coordinates.
[[nodiscard]] inline std::array<Vec3, 3> box_axes(const ObbNode& node, std::uint32_t lane) noexcept {
  const double w = node.quaternion[0][lane], x = node.quaternion[1][lane], y = node.quaternion[2][lane],
               z = node.quaternion[3][lane];
  const double s = 2 / (w * w + x * x + y * y + z * z);
  return {{{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
           {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
           {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}}};
}

/// Its middle, likewise.
[[nodiscard]] inline Vec3 box_centre(const ObbNode& node, std::uint32_t lane) noexcept {
  const double step = node.step;
  return {double{node.origin[0]} + step * node.centre[0][lane], double{node.origin[1]} + step * node.centre[1][lane],
          double{node.origin[2]} + step * node.centre[2][lane]};
}

}  // namespace snug::bvh
