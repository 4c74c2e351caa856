#include "report/finding_order.hpp"

#include "support/assert.hpp"

#include <snug/report.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace snug {

namespace {

constexpr std::array<std::string_view, 3> k_names{"depth", "name", "volume"};

/// Beyond the range of doubles there may be no number, and what is no number has no order.
double number_or(double value, double otherwise) { return std::isnan(value) ? otherwise : value; }

double gap_of(const Finding& finding) {
  constexpr double k_none = std::numeric_limits<double>::infinity();
  return finding.gap ? number_or(*finding.gap, k_none) : k_none;
}

/// Rises from the worst to the least.
auto by_depth(const Finding& finding) { return std::tuple(-report::overlap_thickness(finding), gap_of(finding)); }

auto by_volume(const Finding& finding) {
  return std::tuple_cat(std::tuple(-(finding.volume ? number_or(finding.volume->value, -1) : -1)), by_depth(finding));
}

bool comes_first(const Finding& a, const Finding& b, FindingOrder order) {
  if (order != FindingOrder::name && a.verdict != b.verdict) return a.verdict > b.verdict;
  if (order == FindingOrder::depth && by_depth(a) != by_depth(b)) return by_depth(a) < by_depth(b);
  if (order == FindingOrder::volume && by_volume(a) != by_volume(b)) return by_volume(a) < by_volume(b);
  return std::tie(a.a.part, a.b.part) < std::tie(b.a.part, b.b.part);
}

}  // namespace

namespace report {

double overlap_thickness(const Finding& finding) {
  if (finding.depth) return number_or(finding.depth->lower, 0);
  return finding.crossing ? number_or(finding.crossing->depth, 0) : 0;
}

std::vector<const Finding*> in_order(const std::vector<Finding>& findings, FindingOrder order) {
  std::vector<const Finding*> out;
  out.reserve(findings.size());
  for (const Finding& finding : findings) out.push_back(&finding);
  std::ranges::sort(out, [&](const Finding* a, const Finding* b) { return comes_first(*a, *b, order); });
  return out;
}

}  // namespace report

std::string_view to_string(FindingOrder order) noexcept {
  SNUG_ASSERT(static_cast<std::size_t>(order) < k_names.size());
  return k_names[static_cast<std::size_t>(order)];
}

std::optional<FindingOrder> parse_finding_order(std::string_view text) noexcept {
  const auto found = std::ranges::find(k_names, text);
  if (found == k_names.end()) return std::nullopt;
  return static_cast<FindingOrder>(found - k_names.begin());
}

void sort_findings(std::vector<Finding>& findings, FindingOrder order) {
  std::ranges::sort(findings, [&](const Finding& a, const Finding& b) { return comes_first(a, b, order); });
}

}  // namespace snug
