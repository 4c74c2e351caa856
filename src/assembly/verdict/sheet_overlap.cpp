#include "assembly/verdict/sheet_overlap.hpp"

#include "assembly/verdict/sheets.hpp"

#include <tuple>

namespace snug::assembly {

SheetOverlap sheet_overlap(PairEvidence& evidence) {
  const PosedSolid &a = evidence.a, &b = evidence.b;
  SheetOverlap overlap;
  overlap.may_be_inside = evidence.of_a_inside().doubtful || evidence.of_b_inside().doubtful;
  if (evidence.both_closed()) return overlap;
  overlap.crossing = crossing_of_sheets(a, b, evidence.pairs(), evidence.resolution);
  for (const auto& [sheet, solid, side] : {std::tuple{&a, &b, &TrianglePair::a}, {&b, &a, &TrianglePair::b}}) {
    if (overlap.crossing || sheet->closed()) continue;
    const SheetInside inside = sheet_inside(*sheet, *solid, evidence.pairs(), side, evidence.resolution);
    if (inside.place && inside.comes_out) overlap.crossing = inside.place;
    if (inside.place && !inside.comes_out) overlap.may_be_inside = true;
  }
  const double forgiven = evidence.options.tolerances.touch_overlap.value_or(0);
  const bool forgives = overlap.crossing && forgiven > evidence.resolution;
  if (forgives && parts_within(a, b, evidence.directions(), forgiven)) return {};
  return overlap;
}

}  // namespace snug::assembly
