#pragma once

#include "assembly/robot/motion_bound.hpp"
#include "assembly/robot/solid.hpp"
#include "support/rooms.hpp"

#include <cstdint>
#include <optional>

namespace snug::robot {

/// A point fixed in one of two bodies and inside the other: the witness of a collision, to be tried first in the halves of
/// a range.
struct DeepPoint {
  Point3 at;                ///< in the frame of its body
  std::uint32_t shell = 0;  ///< of a mesh
  std::uint32_t body_a = 0, body_b = 0;
  bool of_b = false;  ///< a point of b inside a; else of a inside b
};

/// What is known of two bodies wherever the joints between them are in a range.
enum class Lasting : std::uint8_t {
  nothing,
  inside_holes,  ///< they share a point if the holes of meshes are closed; of the meshes as they are nothing is known
  collision,     ///< they share a point, or are within the clearance
};

/// Do two bodies collide wherever the joints between them are in the range that `motion` is about? They do if a point of one
/// is deeper inside the other than it can move against that one, less the clearance. Where the other is a mesh with holes, these are
/// closed by cones over their rims, and there is more to show: some point of the same shell stays outside, so that the shell passes
/// through the closed surface; and it keeps away from the cones, so that it passes through the mesh. `shared` is a point of both
/// in the middle of the range, as far as they share one. `from` is tried first; `found` becomes the point with the largest
/// margin of depth over motion, if one is inside.
[[nodiscard]] Lasting collide_throughout(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b,
                                         const MotionBounds& motion, double clearance, const Point3& shared,
                                         const std::optional<DeepPoint>& from, std::optional<DeepPoint>& found,
                                         Scratch& scratch);

}  // namespace snug::robot
