#pragma once

#include "ccd/moving_pair.hpp"
#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <optional>

namespace snug::assembly {

/// A point fixed in one of two bodies, inside its closed shells: as long as it stays inside the other too, they overlap.
struct InteriorWitness {
  bool of_a = true;
  Point3 place;  ///< in that body's frame
};

/// Tells points that prove an overlap, over spans of time. Both solids are at rest in their own frames.
class OverlapProof {
 public:
  OverlapProof(const MovingPair& search, const PosedSolid& a, const PosedSolid& b) noexcept
      : search_(&search), a_(&a), b_(&b) {}

  /// How far a point in the world is from both surfaces in the middle of the span; zero unless it is inside both.
  [[nodiscard]] double depth(const PairMotion& motion, const Point3& world) const;
  /// A point inside both in the middle of the span, deep if possible, looked for around two triangles that meet.
  [[nodiscard]] std::optional<Point3> common_point(const PairMotion& motion, const TriangleContact& meeting) const;
  /// The point, in the world in the middle of the span, fixed in one of the bodies.
  [[nodiscard]] static InteriorWitness fixed(const PairMotion& motion, const Point3& world, bool in_a);
  /// Is it inside both all through the span? False if that could not be proved.
  [[nodiscard]] bool lasts(const PairMotion& motion, const InteriorWitness& witness) const;
  /// A corner, in the world, of a shell of one that is inside the other at this instant. Only asked when surfaces do not meet.
  [[nodiscard]] std::optional<Point3> one_inside_other(const PairMotion& instant) const;

 private:
  const MovingPair* search_;
  const PosedSolid* a_;
  const PosedSolid* b_;
};

/// Do two bodies stay within `distance` of each other all through the span, because a corner or other point of a triangle that
/// meets another slides along it? False if that could not be proved. What slides must not turn against the world where it is
/// slid along.
[[nodiscard]] bool stays_in_touch(const MovingPair& search, const PairMotion& motion, const TriangleContact& meeting,
                                  double distance);

}  // namespace snug::assembly
