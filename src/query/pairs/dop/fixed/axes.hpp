#pragma once

#include "bvh/dop24/records.hpp"
#include "query/pairs/dop/axes.hpp"
#include "query/pairs/dop/fixed/sums.hpp"
#include "support/rooms.hpp"

namespace snug::query::fixed {

/// What a scenario, here a pair of bodies at their poses, has in common.
struct Scenario {
  Format format;
  double scale = 0;        ///< of coefficients, in the unit of the pair
  double enlargement = 0;  ///< what is added to every coefficient before it is scaled: see DopFrame::error
  bool usable = false;     ///< false if the bodies lie too far apart for doubles: nothing may be separated then

  Scenario(const DopFrame& frame, const DopTree& a, const DopTree& b, const Format& f) noexcept;

  /// a' of a coefficient of a tree whose unit times `unit_scale` is the unit of the pair.
  template <class Word = std::int64_t>
  [[nodiscard]] Word coefficient(double of_tree, double unit_scale) const noexcept {
    return fixed::coefficient<Word>(of_tree * unit_scale + enlargement, scale);
  }
};

/// The tree of one body of a scenario as the chip's memory holds it; `unit_scale` is the frame's scale of that body.
[[nodiscard]] DopRecords records_of(const DopTree& tree, double unit_scale, const Scenario& scenario);

[[nodiscard]] inline Mapping mapping_of(const DopMapping& m, unsigned c) noexcept {
  return {m.slab, {mapping(m.weight[0], c), mapping(m.weight[1], c), mapping(m.weight[2], c)}};
}
[[nodiscard]] inline Axis axis_of(const DopAxis& axis, const Scenario& scenario) noexcept {
  return {mapping_of(axis.a, scenario.format.c), mapping_of(axis.b, scenario.format.c),
          offset(axis.offset, scenario.scale, scenario.format)};
}

}  // namespace snug::query::fixed
