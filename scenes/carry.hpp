#pragma once

#include "scenes/scene.hpp"

#include <span>

namespace snug::scenes {

/// Where a part is on its way, seen from its place in the assembly: displaced in the world, turned about its own origin.
struct Waypoint {
  double seconds = 0;  ///< from the waypoint before it
  Vec3 displaced;
  Vec3 axis{0, 0, 1};
  double radians = 0;
};

/// The track of a part that waits at the first waypoint until `start` plus its seconds, visits the others in turn and stays
/// at the last.
[[nodiscard]] MotionTrack carry(const Part& part, double start, std::span<const Waypoint> way);
/// When it arrives.
[[nodiscard]] double end_of(const MotionTrack& track);

}  // namespace snug::scenes
