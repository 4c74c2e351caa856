#pragma once

#include "chip/memory.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

// The whole chip seen from its buses, clock by clock (docs/chip-system.md).

namespace snug::hardware {

/// Pins of the chip that are driven in one clock: what the host does on AXI4-Lite, what memory does on AXI4.
struct BusInputs {
  bool reset = false;

  bool write_address_valid = false, write_data_valid = false, write_answer_ready = true;
  std::uint32_t write_address = 0, write_data = 0;
  unsigned write_strobe = 0xf;
  bool read_address_valid = false, read_data_ready = true;
  std::uint32_t read_address = 0;

  bool memory_ready = false;
  chip::Beat beat;
  bool beat_last = false;
  unsigned beat_response = 0;  ///< RRESP, 0 if the beat is right
};

/// Pins as they stand before the edge that ends the clock.
struct BusOutputs {
  bool write_ready = false, write_data_ready = false, write_answer_valid = false;
  unsigned write_answer = 0;
  bool read_ready = false, read_valid = false;
  std::uint32_t read_data = 0;
  unsigned read_answer = 0;

  bool request_valid = false;
  std::uint64_t request_address = 0;  ///< in bytes
  unsigned request_beats = 0;
  bool request_as_agreed = false;  ///< its size and kind of burst
  bool beat_ready = false;
};

class SystemUnit {
 public:
  SystemUnit() = default;
  SystemUnit(const SystemUnit&) = delete;
  SystemUnit& operator=(const SystemUnit&) = delete;
  virtual ~SystemUnit() = default;

  /// One clock: pins are driven, outputs settle and are read, the edge comes.
  virtual BusOutputs step(const BusInputs& inputs) = 0;
};

/// RTL, or gates: which one depends on what the program was built with.
struct SystemUnderTest {
  std::unique_ptr<SystemUnit> unit;
  unsigned stack_depth = 0;
  /// Writes what lines of RTL were reached, if the program was built to count them.
  std::function<void(const std::string&)> write_coverage;
};
[[nodiscard]] SystemUnderTest make_system(std::string_view configuration);

}  // namespace snug::hardware
