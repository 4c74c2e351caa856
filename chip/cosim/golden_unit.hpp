#pragma once

#include "chip/model/overlap_unit.hpp"

#include <vector>

namespace snug::hardware {

/// The answer of the golden model, src/query/pairs/dop/fixed.
[[nodiscard]] SumPair golden_sums(const AxisTest& test, const Configuration& configuration);
[[nodiscard]] bool golden_separated(const SumPair& sums);

/// The golden model behind as many registers as the chip has stages.
class GoldenUnit final : public OverlapUnit {
 public:
  explicit GoldenUnit(const Configuration& configuration);
  PipeOutputs step(const PipeInputs& inputs) override;
  [[nodiscard]] const char* name() const override { return "golden"; }

 private:
  struct Slot {
    bool valid = false;
    bool last = false;
    std::uint32_t node_a = 0, node_b = 0;
    SumPair sums;
  };
  const Configuration configuration_;
  std::vector<Slot> slots_;  ///< by stage
};

}  // namespace snug::hardware
