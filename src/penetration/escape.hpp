#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <optional>
#include <span>
#include <vector>

namespace snug::penetration {

/// A translation of b after which the interiors of a and b share no point.
struct Escape {
  Vec3 translation;
  double length = 0;
};

/// The shortest translation along one of the directions (or its reverse) that puts a plane between the bodies. Longer
/// than exact arithmetic would have it by the rounding of the extents.
[[nodiscard]] Escape escape_by_plane(const PosedSolid& a, const PosedSolid& b, std::span<const Vec3> directions);

/// The same way out, made longer by multiples of the resolution until the moved vertices themselves prove it: their boxes
/// do not overlap, or the bodies are wholly_apart().
[[nodiscard]] Escape verified(const PosedSolid& a, const PosedSolid& b, const Escape& way, double resolution);

/// A shorter one than `known`, if one is found that moves the surfaces apart entirely (which is then verified exactly on
/// the moved vertices): for concave bodies, which no plane divides. `at_least` is a bound below which none exists.
[[nodiscard]] std::optional<Escape> shorter_escape(const PosedSolid& a, const PosedSolid& b,
                                                   std::span<const Vec3> directions, double at_least,
                                                   const Escape& known);

/// Do the surfaces share no point, and is no shell of one inside the other? Exact.
[[nodiscard]] bool wholly_apart(const PosedSolid& a, const PosedSolid& b);

/// Ways out worth trying: first `normals`, then the axes of the world and of both poses and the line between the bodies'
/// middles. Unit vectors, no two alike or opposite. A normal that is almost one of the axes, or of the `precise` normals, is
/// replaced by it: a way out that is a little askew is longer.
[[nodiscard]] std::vector<Vec3> escape_directions(const PosedSolid& a, const PosedSolid& b,
                                                  std::span<const Vec3> normals, std::span<const Vec3> precise = {});

}  // namespace snug::penetration
