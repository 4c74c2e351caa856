#pragma once

#include "shape/posed.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

namespace snug::penetration {

/// A way of a that leads the hulls of two bodies apart.
struct HullWay {
  Vec3 normal;
  double length = 0;
};
/// What is known of the way that is looked for.
struct WayAim {
  double at_least = 0;    ///< none is shorter
  Point3 place;           ///< deep in both bodies, if there is such a place
  double resolution = 0;  ///< of the pair
};

/// A translation of a after which the bodies share no inside: the hulls' or a shorter one, if some directions have one. It is verified on
/// the bodies where it leads to.
[[nodiscard]] Vec3 way_apart(const Posed& a, const Posed& b, const HullWay& hulls, const WayAim& aim, Scratch& scratch,
                             const QueryOptions& options);

}  // namespace snug::penetration
