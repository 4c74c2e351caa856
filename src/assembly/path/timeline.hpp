#pragma once

#include "assembly/path/witness.hpp"

#include <snug/path.hpp>
#include <snug/progress.hpp>

#include <optional>
#include <vector>

namespace snug::detail {

/// A stretch of time in which two bodies meet, as far as could be told. Before and after they are proved not to.
struct Stretch {
  TimeSpan span;
  bool certain = false;              ///< they do meet in it
  bool decided = true;               ///< false if a limit ended the search in it
  double first = 0, last = 0;        ///< when they are first and last known to, if certain
  std::optional<SpanMeeting> shown;  ///< two triangles that meet, if some were seen
};

/// How finely time is looked at.
struct TimeGrain {
  double tolerance = 0;  ///< ends of stretches are told this well
  double inner =
      0;  ///< bodies that meet at both ends and in the middle of a piece this short are taken to meet throughout
  double finest = 0;  ///< pieces are not cut further, even to find out whether bodies meet at all
};

/// What the search may cost, and did.
struct PieceBudget {
  std::uint64_t pieces = 0, most = 0;
  const CancelToken* cancel = nullptr;
  [[nodiscard]] bool spent() const noexcept { return pieces >= most || cancelled(); }
  [[nodiscard]] bool cancelled() const noexcept { return cancel != nullptr && cancel->cancelled(); }
};

/// All stretches of a span in which two bodies meet, in rising order. `overlap`, if given, tells long overlaps.
[[nodiscard]] std::vector<Stretch> stretches(const SpanSearch& search, const Overlap* overlap, const Question& question,
                                             const TimeSpan& span, const TimeGrain& grain, PieceBudget& fuel);

/// Where no stretch is.
[[nodiscard]] std::vector<TimeSpan> between(const std::vector<Stretch>& stretches, const TimeSpan& span);

}  // namespace snug::detail
