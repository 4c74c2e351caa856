#pragma once

#include "assembly/path/witness.hpp"
#include "support/rooms.hpp"

#include <snug/path.hpp>

#include <optional>
#include <vector>

namespace snug::assembly {

/// An interval of time in which two bodies meet, as far as could be told. Before and after they are proved not to.
struct ContactInterval {
  TimeSpan span;
  bool certain = false;                       ///< they do meet in it
  bool decided = true;                        ///< false if a limit ended the search in it
  double first = 0, last = 0;                 ///< when they are first and last known to, if certain
  std::optional<TriangleContact> shown = {};  ///< two triangles that meet, if some were seen
};

/// How finely time is subdivided.
struct TimeGrain {
  double tolerance = 0;  ///< ends of intervals are found this well
  double inner =
      0;  ///< bodies that meet at both ends and in the middle of a piece this short are taken to meet throughout
  double finest = 0;  ///< pieces are not cut further, even to find out whether bodies meet at all
};

/// All intervals of a span in which two bodies meet, in rising order. `overlap`, if given, proves long overlaps.
[[nodiscard]] std::vector<ContactInterval> contact_intervals(const MovingPair& pair, const OverlapProof* overlap,
                                                             const ContactCriterion& criterion, const TimeSpan& span,
                                                             const TimeGrain& grain, PieceBudget& fuel);

/// The rest of the span.
[[nodiscard]] std::vector<TimeSpan> between(const std::vector<ContactInterval>& intervals, const TimeSpan& span);

}  // namespace snug::assembly
