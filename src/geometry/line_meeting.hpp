#pragma once

#include "support/rooms.hpp"

#include <cstdint>

namespace snug::geometry {

/// How the line of a ray passes a triangle, as far as a filter in doubles can tell.
struct LineMeeting {
  enum class Where : std::uint8_t {
    unsure,  ///< on an edge, in the plane, or so close to it that only ray_hit() can tell
    beside,  ///< they share no point
    ahead,   ///< the ray meets the inside of the triangle beyond its origin
    behind,  ///< so does the ray with the opposite direction
  };
  double t = 0;  ///< never negative; the bits of ray_hit() for the ray, or for that with the opposite direction
  Where where = Where::unsure;
  bool along_normal = false;  ///< the ray's direction goes out through the triangle
};

}  // namespace snug::geometry
