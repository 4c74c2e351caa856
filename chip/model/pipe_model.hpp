#pragma once

#include "chip/model/overlap_unit.hpp"

#include <memory>
#include <vector>

namespace snug::hardware {

/// An answer of the untimed model.
struct AxisAnswer {
  bool separated = false;
  SumPair sums;
  std::uint32_t node_a = 0, node_b = 0;
  bool last = false;
};

/// The pipe in SystemC, twice: cycle-accurate, stage by stage as the RTL has it, and untimed, a process between two queues. A
/// process has one SystemC simulation, so that only one of these may ever be made.
class PipeModel {
 public:
  explicit PipeModel(const Configuration& configuration);
  ~PipeModel();
  PipeModel(const PipeModel&) = delete;
  PipeModel& operator=(const PipeModel&) = delete;

  [[nodiscard]] OverlapUnit& cycle_accurate();
  /// Answers in the order of the tests.
  [[nodiscard]] std::vector<AxisAnswer> untimed(const std::vector<AxisTest>& tests);

 private:
  struct Simulation;
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace snug::hardware
