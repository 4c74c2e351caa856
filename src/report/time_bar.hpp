#pragma once

#include <snug/path.hpp>

#include <string>

namespace snug::report {

/// Columns of a bar of time.
inline constexpr std::size_t k_bar = 32;

/// The range from left to right: '#' interfering, '=' touching, '?' undecided, 'v' closest, '.' none of these. What is shorter
/// than a column fills one; of several the gravest shows.
[[nodiscard]] std::string time_bar(const PathPairReport& pair, const TimeSpan& range, std::size_t columns = k_bar);

/// "0.31 to 0.4, 2.5 +3": at most three.
[[nodiscard]] std::string spans_text(std::span<const TimeSpan> spans);

}  // namespace snug::report
