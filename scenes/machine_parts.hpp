#pragma once

#include <snug/mesh.hpp>

#include <cstdint>

// Small parts that hold one another by their shape: closed meshes around the z axis, in metres where a default says so.

namespace snug::scenes {

/// A right-handed thread: the radius goes up and down by `depth` about `radius` once in each `pitch`.
struct Thread {
  double radius = 0.025, depth = 0.004, pitch = 0.012;
  std::uint32_t around = 24;    ///< vertices on a circle
  std::uint32_t per_pitch = 8;  ///< circles in each pitch
};
/// From z = 0, so many pitches long, with flat ends.
[[nodiscard]] Mesh threaded_rod(const Thread& thread, std::uint32_t pitches);
/// A hexagonal nut, `width` from corner to corner, whose thread is larger than the rod's by `clearance` in radius. A nut that is moved along a
/// rod by whole pitches lies in its thread.
[[nodiscard]] Mesh hexagonal_nut(const Thread& thread, std::uint32_t pitches, double width, double clearance);

/// A spur gear with straight flanks, a gap towards +x, from z = 0 to `width`: teeth reach from `root` to `tip` and are less than half as thick as
/// the pitch between the two, so that gears at a distance of root + tip have backlash.
[[nodiscard]] Mesh spur_gear(double root, double tip, double bore, double width, std::uint32_t teeth);

/// A conical cup that stands on z = 0, open above.
[[nodiscard]] Mesh cup(double bottom_radius, double top_radius, double height, double wall, std::uint32_t segments);
/// A hollow half ball of that radius in a block that is `wall` thicker; its lowest inner point is the origin.
[[nodiscard]] Mesh bowl(double radius, double wall, std::uint32_t bands, std::uint32_t segments);

}  // namespace snug::scenes
