#pragma once

#include <snug/export.hpp>
#include <snug/vec.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

// What two solids have in common, and how analytic faces fit: the terms in which verdicts and scenes give it.

namespace snug {

/// How deep two solids are in one another, by two numbers. The *thickness* of the overlap is the diameter of the largest ball
/// inside both; the *penetration depth* is the length of the shortest translation that makes the interiors disjoint, and is
/// never less.
struct Depth {
  double lower = 0;  ///< the thickness is at least this: the diameter of a ball certified to lie inside both
  double upper = 0;  ///< the penetration depth is at most this: the length of `escape`
  Point3 centre;     ///< of that ball
  Vec3 escape;       ///< a translation of b that was verified to make the interiors disjoint
  /// The thickness was proved to be no more than this. Looked for only where the touch overlap is no less than `lower`.
  std::optional<double> thickness_bound = std::nullopt;
};

/// Volume of what two closed solids have in common.
struct OverlapVolume {
  double value = 0;
  double error = 0;  ///< bound on its rounding, plus what the sags of the faces around it leave open
};

/// How two analytic faces are meant to sit together.
enum class Mating : std::uint8_t {
  none,          ///< nothing of the following, or not known
  planar_mate,   ///< planes face to face
  planar_align,  ///< planes flush, facing the same way
  concentric,    ///< round faces with a common axis or centre: a pin in a bush
  tangent,       ///< a round face rests on a flat or round one
  coincident,    ///< the same round surface: common axis and equal radii
};
/// "none", "planar_mate", "planar_align", "concentric", "tangent", "coincident".
[[nodiscard]] SNUG_API std::string_view to_string(Mating mating) noexcept;

/// What two surfaces that touch or come near are to one another, from their analytic forms, with what is left of exactness.
struct SurfaceMating {
  std::uint32_t surface_a = 0, surface_b = 0;
  Mating mating = Mating::none;
  double angle = 0;                         ///< between normals or axes, radians
  double offset = 0;                        ///< between planes or axes, or from tangency
  std::optional<double> radius_difference;  ///< of round faces: |r_a - r_b|
  /// Of a bore and what is in it: the bore's radius less the other's. Positive: clearance; negative: interference.
  std::optional<double> fit;
};

}  // namespace snug
