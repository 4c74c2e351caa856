#pragma once

#include "assembly/path/contact_intervals.hpp"
#include "support/rooms.hpp"

#include <snug/path.hpp>

#include <optional>
#include <vector>

namespace snug::assembly {

/// How close two bodies come.
struct GapAnswer {
  std::optional<SmallestGap> gap;  ///< nothing if no instant was found at which they are within the limit
  std::vector<TimeSpan> open;  ///< times that could not be told, rising: nothing unless the fuel or the times ran out
};

/// The smallest distance of two bodies that never come within `known` of each other, to a ten-thousandth; `lower` is `known` if
/// some times are left open. Looked for if it is below `limit`; up to `leeway` above it may be told or not. If nothing is told and
/// nothing left open, it is proved to be above the limit.
[[nodiscard]] GapAnswer smallest_gap(const MovingPair& search, const TimeSpan& span, double known, double limit,
                                     double leeway, double finest, PieceBudget& fuel);

}  // namespace snug::assembly
