#include "assembly/path/time_spans.hpp"

#include "support/assert.hpp"

#include <algorithm>

namespace snug::assembly {

namespace {

[[maybe_unused]] bool in_order(const std::vector<TimeSpan>& spans) {
  for (std::size_t i = 0; i < spans.size(); ++i)
    if (!(spans[i].begin <= spans[i].end) || (i > 0 && spans[i].begin < spans[i - 1].end)) return false;
  return true;
}

}  // namespace

std::vector<TimeSpan> joined(std::vector<TimeSpan> spans) {
  std::ranges::sort(spans, [](const TimeSpan& x, const TimeSpan& y) {
    return x.begin != y.begin ? x.begin < y.begin : x.end < y.end;
  });
  std::vector<TimeSpan> out;
  for (const TimeSpan& span : spans) {
    if (!out.empty() && span.begin <= out.back().end)
      out.back().end = std::max(out.back().end, span.end);
    else
      out.push_back(span);
  }
  SNUG_ASSERT(in_order(out));
  return out;
}

std::vector<TimeSpan> common(const std::vector<TimeSpan>& a, const std::vector<TimeSpan>& b) {
  SNUG_ASSERT(in_order(a) && in_order(b));
  std::vector<TimeSpan> out;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const TimeSpan both{std::max(a[i].begin, b[k].begin), std::min(a[i].end, b[k].end)};
    if (both.begin <= both.end) out.push_back(both);
    (a[i].end < b[k].end ? i : k) += 1;
  }
  return out;
}

std::vector<TimeSpan> without(const std::vector<TimeSpan>& a, const std::vector<TimeSpan>& b) {
  std::vector<TimeSpan> out;
  for (const TimeSpan& span : a) {
    double at = span.begin;
    bool touched = false;
    for (const TimeSpan& hole : b) {
      if (hole.end < span.begin || hole.begin > span.end) continue;
      touched = true;
      if (at < hole.begin) out.push_back({at, hole.begin});
      at = std::max(at, hole.end);
    }
    if (at < span.end || !touched) out.push_back({at, span.end});
  }
  return out;
}

void append(const TimeSpan& span, std::vector<TimeSpan>& spans) {
  SNUG_ASSERT(span.begin <= span.end && (spans.empty() || spans.back().end <= span.begin));
  if (!spans.empty() && spans.back().end == span.begin)
    spans.back().end = span.end;
  else
    spans.push_back(span);
}

}  // namespace snug::assembly
