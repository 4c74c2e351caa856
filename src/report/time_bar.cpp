#include "report/time_bar.hpp"

#include "support/assert.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <cmath>

namespace snug::report {

std::string time_bar(const PathPairReport& pair, const TimeSpan& range, std::size_t columns) {
  SNUG_ASSERT(columns > 0);
  std::string bar(columns, '.');
  const auto count = static_cast<double>(columns);
  const auto place = [&](double t) { return range.length() > 0 ? (t - range.begin) / range.length() * count : 0; };
  const auto column = [&](double at) { return static_cast<std::size_t>(std::clamp(at, 0.0, count - 1)); };
  const auto paint = [&](const TimeSpan& span, char mark) {
    // Intervals exceed the truth by a little: that little must not fill a column.
    constexpr double k_little = 0.05;
    const double begin = place(span.begin), end = place(span.end);
    std::size_t first = column(begin), last = column(end);
    if (last > first && static_cast<double>(first + 1) - begin < k_little) ++first;
    if (last > first && end - static_cast<double>(last) < k_little) --last;
    SNUG_ASSERT(first <= last && last < columns);
    std::fill_n(bar.begin() + static_cast<std::ptrdiff_t>(first), last - first + 1, mark);
  };
  if (pair.smallest_gap) paint({pair.smallest_gap->t, pair.smallest_gap->t}, 'v');
  for (const TimeSpan& span : pair.touch_intervals) paint(span, '=');
  for (const TimeSpan& span : pair.undecided) paint(span, '?');
  for (const TimeSpan& span : pair.intervals) paint(span, '#');
  return bar;
}

std::string time_text(double t, const TimeSpan& range) {
  if (!(range.length() > 0)) return support::number_text(t);
  const double steps =
      std::pow(10.0, 4 - std::floor(std::log10(range.length())));  // for readers: no result depends on it
  const double rounded = std::round(t * steps) / steps;
  if (!std::isfinite(rounded)) return support::number_text(t);
  return support::number_text(rounded == 0 ? 0 : rounded);
}

std::string spans_text(std::span<const TimeSpan> spans, const TimeSpan& range) {
  constexpr std::size_t k_shown = 3;
  std::string out;
  for (std::size_t i = 0; i < spans.size() && i < k_shown; ++i) {
    const std::string begin = time_text(spans[i].begin, range), end = time_text(spans[i].end, range);
    out += (i > 0 ? ", " : "") + begin + (begin == end ? "" : " to " + end);
  }
  if (spans.size() > k_shown) out += " +" + std::to_string(spans.size() - k_shown);
  return out;
}

}  // namespace snug::report
