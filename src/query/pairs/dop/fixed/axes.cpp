#include "query/pairs/dop/fixed/axes.hpp"

#include <algorithm>
#include <cmath>

namespace snug::query::fixed {

Scenario::Scenario(const DopFrame& frame, const DopTree& a, const DopTree& b, const Format& f) noexcept : format(f) {
  enlargement = frame.error;
  const double largest = std::max(a.largest * frame.scale_a, b.largest * frame.scale_b) + enlargement;
  scale = scale_for(largest, f.b);
  usable = std::isfinite(largest) && std::isfinite(scale);
}

DopRecords records_of(const DopTree& tree, double unit_scale, const Scenario& scenario) {
  DopRecords records{scenario.format.b + 1, scenario.scale, scenario.enlargement, tree.links, {}};
  records.coefficients.reserve(tree.dops.size() * Dop24().d.size());
  for (const Dop24& dop : tree.dops)
    for (const double c : dop.d) records.coefficients.push_back(scenario.coefficient(c, unit_scale));
  return records;
}

}  // namespace snug::query::fixed
