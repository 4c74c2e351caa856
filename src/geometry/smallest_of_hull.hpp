#pragma once

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <algorithm>
#include <span>

namespace snug::geometry {

/// The point of smallest length in the convex hull of vectors (Gilbert 1966), after so many steps at most, or up to where one more gains
/// no more than `least_gain`: all of them grow towards it, or, where it is nearly zero, there is no direction towards which they do. Calls
/// look() for each vector that it looks at.
template <class Look>
[[nodiscard]] Vec3 smallest_of_hull(std::span<const Vec3> vectors, int steps, double least_gain, Look&& look) {
  SNUG_ASSERT(!vectors.empty());
  Vec3 v = vectors[0];
  for (int step = 0; step < steps; ++step) {
    const Vec3* lowest = &vectors[0];
    for (const Vec3& tried : vectors) {
      look();
      if (dot(tried, v) < dot(*lowest, v)) lowest = &tried;
    }
    const Vec3 towards = *lowest - v;
    const double squared = dot(towards, towards), gain = -dot(v, towards);
    if (!(gain > least_gain) || !(squared > 0)) break;
    v = v + std::min(1.0, gain / squared) * towards;
  }
  return v;
}

}  // namespace snug::geometry
