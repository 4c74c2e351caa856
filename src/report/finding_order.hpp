#pragma once

#include "support/rooms.hpp"

#include <snug/report.hpp>

#include <vector>

namespace snug::report {

/// By how much two parts overlap, as far as that is certain: what findings are ordered by. 0 where nothing is measured.
[[nodiscard]] double overlap_thickness(const Finding& finding);

/// Borrows the findings.
[[nodiscard]] std::vector<const Finding*> in_order(const std::vector<Finding>& findings, FindingOrder order);

}  // namespace snug::report
