#pragma once

#include "chip/bits.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cstdint>
#include <deque>

// Memory as the chip sees it (docs/chip-system.md, section 1): requests of whole bursts, beats in their order. Outputs of a clock
// follow from what came in before it, so that whoever is compared with the cycle model sees the same.

namespace snug::chip {

inline constexpr unsigned k_beat_words = 2;  ///< of 64 bits: a beat is what the bus brings in one clock
inline constexpr unsigned k_burst_beats = 4;
inline constexpr unsigned k_burst_words = k_beat_words * k_burst_beats;

struct Request {
  bool valid = false;
  std::uint32_t address = 0;  ///< in bursts
  unsigned bursts = 0;
  friend bool operator==(const Request&, const Request&) = default;
};
struct Beat {
  bool valid = false;
  bool error = false;
  std::array<std::uint64_t, k_beat_words> data{};
};

class Memory {
 public:
  virtual ~Memory() = default;
  /// Pins of this clock.
  [[nodiscard]] virtual bool ready() const = 0;
  [[nodiscard]] virtual Beat beat() const = 0;
  /// The edge that ends it; the request is taken if it is valid and ready() holds.
  virtual void clock(const Request& request) = 0;
};

/// What lies in memory; reading beyond it gives an error.
class MemoryContents {
 public:
  explicit MemoryContents(const Words& words) noexcept : words_(&words) {}
  [[nodiscard]] Beat beat(std::uint64_t index) const noexcept {
    const std::uint64_t at = index * k_beat_words;
    if (at + k_beat_words > words_->size()) return {true, true, {}};
    return {true, false, {(*words_)[at], (*words_)[at + 1]}};
  }

 private:
  const Words* words_;
};

/// Double data rate memory behind a controller that works on requests in order and leaves rows open. Times are in clocks; as they
/// stand they are those of DDR200 modules at 100 MHz on a 64-bit bus.
struct DdrTiming {
  unsigned row_bytes = 8192;
  unsigned banks = 4;
  unsigned to_read = 2;     ///< tRCD: from opening a row to reading
  unsigned to_data = 2;     ///< CL: from reading to the first beat
  unsigned to_close = 2;    ///< tRP
  unsigned refresh = 8;     ///< tRFC
  unsigned between = 780;   ///< tREFI: 7.8 µs
  unsigned controller = 2;  ///< on the way in and out
  unsigned to_turn = 3;     ///< between reading and writing, either way
};

class DdrMemory final : public Memory {
 public:
  explicit DdrMemory(const Words& words, const DdrTiming& timing = {});
  [[nodiscard]] bool ready() const override { return under_way_.size() < k_most_under_way; }
  [[nodiscard]] Beat beat() const override;
  void clock(const Request& request) override;

  /// Writing, which the contract's chip never does: time only, the words are changed by whoever writes. In a clock in which
  /// ready_to_write() holds, before its edge, and with no request.
  [[nodiscard]] bool ready_to_write() const noexcept { return next_access_ < now_ + k_most_under_way * k_burst_beats; }
  void write(std::uint32_t address, unsigned bursts);
  /// Has all been written that was to be?
  [[nodiscard]] bool at_rest() const noexcept { return next_access_ <= now_; }

  [[nodiscard]] std::uint64_t row_misses() const noexcept { return row_misses_; }
  [[nodiscard]] std::uint64_t refreshes() const noexcept { return refreshes_; }

 private:
  static constexpr std::size_t k_most_under_way = 16;
  static constexpr std::uint32_t k_no_row = 0xffffffff;
  struct Burst {
    std::uint64_t clock;  ///< of its first beat
    std::uint64_t beat;   ///< number of that in memory
  };
  [[nodiscard]] std::uint64_t access(std::uint32_t burst, std::uint64_t from, bool writing);

  MemoryContents contents_;
  DdrTiming timing_;
  std::uint64_t now_ = 0, next_access_ = 0, next_refresh_, row_misses_ = 0, refreshes_ = 0;
  bool written_ = false;  ///< the last access was writing
  std::deque<Burst> under_way_;
  std::vector<std::uint32_t> open_row_;  ///< of each bank
  std::vector<std::uint64_t> bank_free_;
};

/// Memory that is always ready and whose first beat comes a fixed time after a request, without gaps: what the papers count with.
class SteadyMemory final : public Memory {
 public:
  SteadyMemory(const Words& words, unsigned latency) noexcept : contents_(words), latency_(latency) {}
  [[nodiscard]] bool ready() const override { return true; }
  [[nodiscard]] Beat beat() const override;
  void clock(const Request& request) override;

 private:
  struct Run {
    std::uint64_t clock, beat, left;
  };
  MemoryContents contents_;
  unsigned latency_;
  std::uint64_t now_ = 0, bus_free_ = 0;
  std::deque<Run> under_way_;
};

}  // namespace snug::chip
