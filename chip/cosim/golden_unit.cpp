#include "chip/cosim/golden_unit.hpp"

#include "query/pairs/dop/fixed/sums.hpp"

#include <algorithm>

namespace snug::hardware {

namespace fixed = assembly::fixed;

SumPair golden_sums(const AxisTest& test, const Configuration& configuration) {
  const fixed::Axis axis{{test.map_a.slab, test.map_a.weight}, {test.map_b.slab, test.map_b.weight}, test.offset};
  const auto sums = fixed::axis_sums<fixed::int128>(axis, test.dop_a.data(), test.dop_b.data(),
                                                    fixed::Format::of_width(configuration.width));
  return {sums.first, sums.second};
}

bool golden_separated(const SumPair& sums) { return fixed::Sums<Wide>{sums.first, sums.second}.separated(); }

GoldenUnit::GoldenUnit(const Configuration& configuration)
    : configuration_(configuration), slots_(configuration.stages()) {}

PipeOutputs GoldenUnit::step(const PipeInputs& inputs) {
  const Slot &end = slots_.back(), &before = slots_[slots_.size() - 2];
  const bool moves = inputs.ready || !end.valid;
  const PipeOutputs outputs{moves,        end.valid,  golden_separated(end.sums), end.node_a, end.node_b, end.last,
                            before.valid, before.sums};
  if (inputs.reset) {
    std::ranges::fill(slots_, Slot{});
  } else if (moves) {
    std::ranges::move_backward(slots_.begin(), slots_.end() - 1, slots_.end());
    slots_[0] = {};
    if (inputs.test != nullptr)
      slots_[0] = {true, inputs.test->last, inputs.test->node_a, inputs.test->node_b,
                   golden_sums(*inputs.test, configuration_)};
  }
  return outputs;
}

}  // namespace snug::hardware
