#pragma once

#include "chip/model/system_pins.hpp"

#include <memory>
#include <utility>

namespace snug::hardware {

/// The whole chip in SystemC, loosely timed: a TLM-2.0 initiator that walks through both trees, and DDR memory as its target. Time moves by pairs,
/// not by clocks: a hundredth of the work of the cycle-accurate model, for about the same time. One for each process.
class LooseModel {
 public:
  explicit LooseModel(const Configuration& configuration);
  ~LooseModel();
  LooseModel(const LooseModel&) = delete;
  LooseModel& operator=(const LooseModel&) = delete;

  struct Answer {
    std::uint64_t clocks = 0, dop_tests = 0, triangle_tests = 0, bursts = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> hits;
  };
  /// `memory` in 64-bit words.
  [[nodiscard]] Answer ask(const SystemSetup& setup, const std::vector<std::uint64_t>& memory);

 private:
  struct Simulation;
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace snug::hardware
