#pragma once

#include "path/timeline.hpp"

#include <optional>

namespace snug::detail {

/// The smallest distance of two bodies that never come within `known` of each other, to a ten-thousandth. If the fuel runs out,
/// `lower` is `known`. Nothing if they never come within `limit`.
[[nodiscard]] std::optional<SmallestGap> smallest_gap(const SpanSearch& search, const TimeSpan& span, double known,
                                                      double limit, double finest, PieceBudget& fuel);

}  // namespace snug::detail
