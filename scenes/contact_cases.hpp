#pragma once

#include <snug/pose.hpp>
#include <snug/shape.hpp>

#include <cstdint>
#include <optional>
#include <vector>

// Pairs of bodies that overlap by a depth known by other means than contacts: what manifolds are held to, by tests and benchmarks alike.
// Each comes from a seed.

namespace snug::scenes {

/// How a convex body leaves another by the shortest way.
struct Translation {
  double depth = 0;
  Vec3 normal;
};

/// Two convex bodies (boxes, cylinders, spheres of few segments; 0.5 to 2 in size) that overlap by up to a share of a unit.
struct ConvexPair {
  Shape a, b;
  Pose pose_a, pose_b;
  Translation shortest;  ///< of a out of b; exact but for rounding: by all separating axes
};
/// Nothing where the pair drawn does not reach the depth drawn.
[[nodiscard]] std::optional<ConvexPair> some_convex_pair(std::uint64_t seed);

/// A body that lies in a convex one but for a sliver, down to 1e-14.
struct Sliver {
  Shape inner, outer;
  Pose pose;       ///< of the inner one
  double way = 0;  ///< the shortest out of the outer one as a whole, along the normal of one of its faces
};
/// Nothing if there is no room.
[[nodiscard]] std::optional<Sliver> some_sliver(std::uint64_t seed);

/// A hole of so many sides through a disk, and a peg that fits in by `clearance`, somewhere in it, askew. Both have their axes along z,
/// the hole from z = 0 to k_height.
struct PegInHole {
  static constexpr double k_radius = 10, k_height = 20, k_length = 40;
  std::uint32_t sides, peg_sides;
  double clearance, aside;
  Shape peg, hole;
  Pose pose;

  /// How far the peg reaches into the wall anywhere between the ends of the hole: nothing reaches further there than its edges. Negative if it
  /// does not.
  [[nodiscard]] double reach() const;
};
/// Free once it is moved to the side.
[[nodiscard]] PegInHole some_peg(std::uint64_t seed);
/// The same, narrower towards its head by up to half of the clearance.
[[nodiscard]] PegInHole some_tapered_peg(std::uint64_t seed);
/// As many sides as its hole, but turned in it, so that its edges bite into the wall all around: no translation to the side frees it.
[[nodiscard]] PegInHole some_tight_peg(std::uint64_t seed);

/// A shaft whose section has lobes, in a hole of the same section, moved aside so that lobes meet the wall.
struct LobedShaft {
  Shape shaft, hole;
  Pose pose;
  Vec3 way;  ///< moved by this it is free; there may be shorter ways
};
/// Nothing if they are apart.
[[nodiscard]] std::optional<LobedShaft> some_lobed_shaft(std::uint64_t seed);

}  // namespace snug::scenes
