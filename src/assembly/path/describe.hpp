#pragma once

#include "assembly/path/path_pair.hpp"
#include "support/rooms.hpp"

// What a report says of a pair beside its verdict and the times of it.

namespace snug::assembly {

/// The first contact and the first clash, and where to look.
void describe_times(const PathContacts& met, const PathInterference& found, PathPairReport& report);

/// How far the parts have come when intervals begin and end.
void measure_travel(const PathPair& pair, PathPairReport& report);

/// The deepest of some instants of each interval.
void measure_depths(PathPair& pair, PathPairReport& report);

/// The surfaces that meet, and when.
void name_surfaces(PathPair& pair, const std::vector<ContactInterval>& contacts, PathPairReport& report);

}  // namespace snug::assembly
