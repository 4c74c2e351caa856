#pragma once

#include "scenes/random.hpp"

#include <snug/mesh.hpp>
#include <snug/pose.hpp>
#include <snug/shape.hpp>

#include <cstdint>
#include <string>
#include <vector>

// Bodies that rub on one another along smooth motions, as a haptic probe does.

namespace snug::scenes {

/// A ball swept along the z axis around the origin: a sphere() of an odd number of rings whose middle band is stretched.
[[nodiscard]] Mesh capsule(double radius, double half_length, std::uint32_t rings, std::uint32_t segments);

struct RubbingBody {
  std::string name;
  Shape shape;
  bool convex = true;
};
/// Some 1 in size: box, cylinder, ball, capsule and the corner of a large box; of concave ones a torus, an angle and a knot.
[[nodiscard]] std::vector<RubbingBody> rubbing_bodies();

/// A pose of a beside b: turned at random, moved until they touch, and on by `depth`.
[[nodiscard]] Pose touching_pose(const Shape& a, const Shape& b, const Pose& pose_b, double depth, Random& random);

/// Oscillations along two random directions and about a random axis through the body's origin, with seven to thirty per unit of time.
class SmoothMotion {
 public:
  SmoothMotion(const Pose& start, double reach, Random& random);
  [[nodiscard]] Pose at(double time) const;

 private:
  struct Oscillation {
    double speed = 0, phase = 0;
    /// Zero at time 0.
    [[nodiscard]] double at(double time) const;
  };
  Pose start_;
  double reach_;
  Vec3 along_[2], axis_;
  Oscillation oscillation_[3];
};

/// The furthest that a point of the mesh moves from one pose to the other.
[[nodiscard]] double displacement(const Mesh& mesh, const Pose& from, const Pose& to);

}  // namespace snug::scenes
