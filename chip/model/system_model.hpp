#pragma once

#include "chip/model/system_pins.hpp"

#include <memory>

namespace snug::hardware {

/// The whole chip in SystemC, cycle-accurate: controller, stack, GetData, tester, pipe and triangle unit, a module each, written from
/// docs/chip-system.md. A process has one SystemC simulation, so that only one model may ever be made.
class SystemModel {
 public:
  SystemModel(const Configuration& configuration, unsigned stack_depth);
  ~SystemModel();
  SystemModel(const SystemModel&) = delete;
  SystemModel& operator=(const SystemModel&) = delete;

  /// While it is not busy.
  void set(const SystemSetup& setup);
  /// One clock: pins are driven, outputs settle and are read, the edge comes.
  SystemOutputs step(const SystemInputs& inputs);

 private:
  struct Simulation;
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace snug::hardware
