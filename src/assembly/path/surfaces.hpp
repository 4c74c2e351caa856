#pragma once

#include "assembly/path/contact_intervals.hpp"
#include "support/rooms.hpp"

#include <snug/path.hpp>

#include <map>
#include <utility>
#include <vector>

namespace snug::assembly {

using SurfaceIds = std::pair<std::uint32_t, std::uint32_t>;

/// For each pair of surfaces that come within `distance` of each other during the span: when, to the tolerance at both ends of
/// each interval. Intervals that are less than a sixty-fourth of the span apart may be told as one.
void add_surface_meetings(const MovingPair& search, const TimeSpan& span, double distance, double tolerance,
                          PieceBudget& fuel, std::map<SurfaceIds, std::vector<TimeSpan>>& meetings);

}  // namespace snug::assembly
