#pragma once

#include "chip/cosim/stimulus.hpp"
#include "chip/cosim/system_unit.hpp"

#include <deque>
#include <optional>

namespace snug::hardware {

/// Offsets of registers, in bytes (docs/chip-system.md, section 9).
namespace registers {
inline constexpr std::uint32_t control = 0x000, status = 0x004, axes = 0x008, triangle = 0x00c, addresses = 0x010,
                               hit_a = 0x020, hit_b = 0x024, clocks = 0x028, counters = 0x030, placement = 0x080,
                               axis = 0x1000, axis_bytes = 64;
}  // namespace registers

/// A host on AXI4-Lite that writes and reads one thing after the other, without waiting for answers among those of one kind, with pauses now
/// and then.
class AxiHost {
 public:
  struct Access {
    bool write = false;
    std::uint32_t address = 0, data = 0;
    unsigned strobe = 0xf;
  };
  /// What came of one.
  struct Answer {
    Access access;
    std::uint32_t data = 0;
    unsigned response = 0;
  };

  explicit AxiHost(Random& random) : random_(&random) {}

  void write(std::uint32_t address, std::uint32_t data, unsigned strobe = 0xf) {
    waiting_.push_back({true, address, data, strobe});
  }
  void write_wide(std::uint32_t address, std::int64_t number) {
    write(address, static_cast<std::uint32_t>(number));
    write(address + 4, static_cast<std::uint32_t>(number >> 32));
  }
  void read(std::uint32_t address) { waiting_.push_back({false, address, 0, 0}); }
  [[nodiscard]] bool idle() const { return waiting_.empty() && under_way_.empty(); }
  /// Forgets everything, as a reset of the bus does.
  void reset();

  /// Puts its pins into `in`.
  void drive(BusInputs& in);
  /// What the bus made of them: a write that took effect or a read that was accepted in this clock.
  std::optional<Access> accepted(const BusInputs& in, const BusOutputs& out) const;
  /// The edge; an answer, if one came.
  std::optional<Answer> clock(const BusInputs& in, const BusOutputs& out);

 private:
  Random* random_;
  std::deque<Access> waiting_;
  std::deque<Access> under_way_;  ///< accepted, not answered
  bool offered_ = false, data_offered_ = false;
};

}  // namespace snug::hardware
