#pragma once

#include <snug/distance.hpp>
#include <snug/robot.hpp>

#include <limits>
#include <optional>
#include <vector>

namespace snug::robot {

struct Ball {
  Point3 centre;
  double radius = 0;
};

/// A body of a link with what questions about its inside need.
struct Solid {
  explicit Solid(const RobotBody& of);

  const RobotBody& body;
  bool closed = true;             ///< it has an inside; all simple solids have
  std::vector<Point3> of_shells;  ///< a point of each piece that hangs together, in the body's frame
  std::vector<Ball> inner;        ///< balls that lie wholly inside a closed mesh, some of the largest
  Ball outer;                     ///< holds all of it
};

/// How close two solids are at one pose of each.
struct Closeness {
  double value =
      std::numeric_limits<double>::infinity();  ///< of their surfaces; infinite if beyond the limit asked for
  double lower = std::numeric_limits<double>::infinity();  ///< certainly no closer than this, or than the limit
  bool inside = false;                                     ///< one holds a piece of the other, and surfaces are apart
  Point3 on_a, on_b;

  [[nodiscard]] bool collide() const noexcept { return inside || value == 0; }
};

/// `pose_a` and `pose_b` place the bodies in the world. Distances beyond `limit` need not be found.
[[nodiscard]] Closeness closeness(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double limit,
                                  Scratch& scratch);

/// True if a, with everything within `depth` of its surface taken away, still shares a point with b for certain: then it does
/// so wherever points of b move by no more than `depth`. False where that can not be told.
[[nodiscard]] bool deeper_than(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double depth);

}  // namespace snug::robot
