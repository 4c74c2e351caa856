#pragma once

#include <snug/mesh.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace snug::scenes {

/// One face of a turned part, or one edge of its outline: from where the stretch before it ended to (radius, z).
struct TurnedStretch {
  std::string name;
  double radius = 0, z = 0;
};

/// A part from the lathe, around the z axis, from a point of the axis at the lowest z to one at the highest: upright
/// stretches are cylinders, level ones planes, those at 45 degrees cones. The first stretch begins at `bottom` on the axis
/// and the last ends on it.
/// With a `tip` greater than zero the part begins with a ball of that radius, whose lowest point is `bottom`, up to its
/// equator; sag is told for what is round.
[[nodiscard]] Mesh turned(double bottom, double tip, const std::vector<TurnedStretch>& stretches,
                          std::uint32_t segments);

/// The 45 degrees that turned() and others give their cones: half angles that need no trigonometry.
inline constexpr double k_eighth_turn = 3.14159265358979323846 / 4;
/// How far a circle of this radius is from the middle of a chord over one of `segments` equal parts.
[[nodiscard]] double chord_sag(double radius, std::uint32_t segments) noexcept;

}  // namespace snug::scenes
