#pragma once

#include "contact/regions/curves.hpp"
#include "contact/regions/facing_depth.hpp"
#include "contact/regions/region_reach.hpp"
#include "contact/regions/regions.hpp"
#include "contact/regions/separation.hpp"
#include "support/arena.hpp"
#include "support/fuel.hpp"
#include "support/rooms.hpp"

#include <snug/contacts.hpp>

#include <vector>

namespace snug::contact {

/// What the search for regions keeps from call to call.
struct RegionMemory {
  Arena arena;  ///< of one call
  Curves curves;
  Regions regions;
  FacingMemory facing;
  RegionReach reach;
  SeparatorMemory separator;
  std::vector<FacingPoint> points;
};

/// A manifold of each region in which two bodies overlap or touch, into an empty answer; none exactly if they share no point. `pairs`: all
/// pairs of triangles that share one, ordered; left as they were. Under a budget `fuel` counts pairs of triangles that are compared; what is
/// found after it was spent means nothing.
void find_region_contacts(const RayTarget& a, const RayTarget& b, std::vector<TrianglePair>& pairs,
                          RegionMemory& memory, Fuel* fuel, RayContactOptions::Normal normal, Contacts& out);

}  // namespace snug::contact
