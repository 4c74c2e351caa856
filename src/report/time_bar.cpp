#include "report/time_bar.hpp"

#include "io/errors.hpp"

#include <algorithm>
#include <cmath>

namespace snug::report {

namespace {

/// Six digits: instants are told more finely than lengths.
std::string time_text(double t) { return io::number_text(t == 0 ? 0 : t); }

}  // namespace

std::string time_bar(const PathPairReport& pair, const TimeSpan& range, std::size_t columns) {
  std::string bar(columns, '.');
  const double width = range.length();
  const auto column = [&](double t) {
    const double at = width > 0 ? (t - range.begin) / width * static_cast<double>(columns) : 0;
    return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(columns) - 1));
  };
  const auto paint = [&](const TimeSpan& span, char mark) {
    // A span that ends where a column begins does not reach into it, unless it is a single instant.
    const std::size_t first = column(span.begin);
    std::size_t last = column(span.end);
    if (last > first && width > 0 &&
        range.begin + width * static_cast<double>(last) / static_cast<double>(columns) >= span.end)
      --last;
    std::fill(bar.begin() + static_cast<std::ptrdiff_t>(first), bar.begin() + static_cast<std::ptrdiff_t>(last) + 1,
              mark);
  };
  if (pair.smallest_gap) paint({pair.smallest_gap->t, pair.smallest_gap->t}, 'v');
  for (const TimeSpan& span : pair.touch_intervals) paint(span, '=');
  for (const TimeSpan& span : pair.undecided) paint(span, '?');
  for (const TimeSpan& span : pair.intervals) paint(span, '#');
  return bar;
}

std::string spans_text(std::span<const TimeSpan> spans) {
  constexpr std::size_t k_shown = 3;
  std::string out;
  for (std::size_t i = 0; i < spans.size() && i < k_shown; ++i) {
    if (i > 0) out += ", ";
    out += time_text(spans[i].begin);
    if (time_text(spans[i].end) != time_text(spans[i].begin)) out += " to " + time_text(spans[i].end);
  }
  if (spans.size() > k_shown) out += " +" + std::to_string(spans.size() - k_shown);
  return out;
}

}  // namespace snug::report
