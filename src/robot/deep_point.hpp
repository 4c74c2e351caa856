#pragma once

#include "robot/motion_bound.hpp"
#include "robot/solid.hpp"

#include <cstdint>

namespace snug::robot {

/// Where a proof that two meshes collide was found, so that it can be tried first in the halves of a range.
struct DeepPoint {
  static constexpr std::uint32_t k_none = ~std::uint32_t{0};
  std::uint32_t sample = k_none;
  std::uint32_t body_a = 0, body_b = 0;
  bool of_b = false;  ///< a point of b's surface inside a; else of a's inside b
};

/// Do two meshes collide wherever the joints between them are in the range that `motion` is about? They do if a point of
/// one's surface is deeper inside the other than it can move against that one. Where the other has holes, it is closed by
/// cones over their rims, and there is more to show: some point of the same shell stays outside, so that the shell passes
/// through the closed surface; and it keeps away from the cones, so that it passes through the mesh. False where that
/// could not be shown. `from` is tried first; `found` is the point that was deepest for its motion, if any is inside.
[[nodiscard]] bool collide_throughout(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b,
                                      const MotionBounds& motion, const DeepPoint& from, DeepPoint& found,
                                      Scratch& scratch);

}  // namespace snug::robot
