#pragma once

#include "scenes/scene.hpp"

// The worlds in which published methods were measured, and those in which ours are; docs/scenes.md shows them all. Each
// file of that name tells where its numbers come from.

namespace snug::scenes {

/// Two car headlights of 5,948 triangles, thin-walled and concave, that pass through one another while they turn.
[[nodiscard]] Scene headlight(const SceneOptions& options);

/// Two spheres of so many triangles that approach while they turn, over 72 cycles, and meet in the last one.
[[nodiscard]] Scene spheres_240(const SceneOptions& options);
[[nodiscard]] Scene spheres_960(const SceneOptions& options);
[[nodiscard]] Scene spheres_2048(const SceneOptions& options);
[[nodiscard]] Scene spheres_3968(const SceneOptions& options);
/// Two spheres of 960 triangles that become eggs on the way.
[[nodiscard]] Scene deforming_spheres(const SceneOptions& options);

/// 512 bunnies of 902 triangles above a plane.
[[nodiscard]] Scene avalanche(const SceneOptions& options);
/// 500 bodies of four kinds that a source on a circle lets fall, ten a second.
[[nodiscard]] Scene fountain(const SceneOptions& options);
/// A ball, a bunny and a pig that stand on the ground and are then pressed into it.
[[nodiscard]] Scene reaction(const SceneOptions& options);

/// Two knots that pass through one another. Size: about how many triangles each has.
[[nodiscard]] Scene knots(const SceneOptions& options);
/// Parts in a cubic grid, each touching all its neighbours; of a hundred such pairs one clashes. Size: how many parts.
[[nodiscard]] Scene lattice(const SceneOptions& options);

/// Two pegs that shoot into the holes of a plate within one step, one of them off its axis.
[[nodiscard]] Scene peg(const SceneOptions& options);
/// Balls so fast that they are on either side of a plate at every step, but never in it.
[[nodiscard]] Scene thin_plate(const SceneOptions& options);
/// A hand-held probe that feels its way about an open box, at 1 kHz.
[[nodiscard]] Scene tool_and_box(const SceneOptions& options);

}  // namespace snug::scenes
