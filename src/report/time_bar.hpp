#pragma once

#include "support/rooms.hpp"

#include <snug/path.hpp>

#include <span>
#include <string>

namespace snug::report {

/// Columns of a bar of time.
inline constexpr std::size_t k_bar = 32;

/// The range from left to right: '#' interfering, '=' touching, '?' undecided, 'v' closest, '.' none of these. What is shorter
/// than a column fills one, what reaches into a column by less than a twentieth does not; of several the gravest shows.
[[nodiscard]] std::string time_bar(const PathPairReport& pair, const TimeSpan& range, std::size_t columns = k_bar);

/// An instant, to a ten-thousandth of the range or finer: "0.3125".
[[nodiscard]] std::string time_text(double t, const TimeSpan& range);
/// "0.31 to 0.4, 2.5 +3": at most three.
[[nodiscard]] std::string spans_text(std::span<const TimeSpan> spans, const TimeSpan& range);

}  // namespace snug::report
