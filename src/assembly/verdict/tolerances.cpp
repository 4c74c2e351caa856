#include "assembly/verdict/assess.hpp"

#include <snug/check.hpp>

#include <algorithm>
#include <vector>

namespace snug {

namespace {

/// Ten times the tolerance of a micrometre that kernels model to, and below the clearance of any fit that is meant to be one.
/// Whatever a file claims beyond that may be an overlap that matters: it is for the user to allow.
constexpr double k_most_micrometres = 10;

}  // namespace

double default_touch_overlap(const Assembly& assembly) {
  std::vector<double> tolerances;
  for (const Part& part : assembly.parts()) {
    if (part.mesh.surfaces_by_crease()) continue;  // no CAD faces
    for (const Surface& surface : part.mesh.surfaces())
      if (surface.tolerance > 0) tolerances.push_back(surface.tolerance);
  }
  const double micrometre = convert_length(1, LengthUnit::micrometre, assembly.units());
  if (tolerances.empty()) return micrometre;
  const auto middle = tolerances.begin() + static_cast<std::ptrdiff_t>((tolerances.size() - 1) / 2);
  std::ranges::nth_element(tolerances, middle);
  return std::clamp(*middle, micrometre, k_most_micrometres * micrometre);
}

double touch_overlap_of(const Tolerances& tolerances, const Assembly& assembly) {
  return tolerances.touch_overlap ? *tolerances.touch_overlap : default_touch_overlap(assembly);
}

Tolerances assembly::in_force(const Tolerances& tolerances, const Assembly& assembly) {
  return {tolerances.clearance, tolerances.touch_gap, touch_overlap_of(tolerances, assembly)};
}

}  // namespace snug
