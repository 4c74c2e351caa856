#pragma once

#include "chip/stack.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace snug::chip {

/// What a triangle unit is handed over at once: a pair of triangles, or up to four pairs of two quadrangles, one after the other.
struct TriangleWork {
  struct Pair {
    bool kept = false;
    std::uint32_t a = 0, b = 0;
  };
  std::array<Pair, 4> pairs{};
  unsigned count = 0;

  void add(const Pair& pair) noexcept {
    SNUG_ASSERT(count < pairs.size());
    pairs[count++] = pair;
  }
};

/// Triangle units side by side, each with the same time for every pair (docs/chip-system.md, section 7). The contract has one.
class TriangleBank {
 public:
  TriangleBank(unsigned units, unsigned clocks) : clocks_(clocks), units_(units) {
    SNUG_ASSERT(units > 0 && clocks > 0);
  }

  [[nodiscard]] bool empty() const noexcept {
    for (const Unit& unit : units_)
      if (unit.left != 0) return false;
    return true;
  }
  [[nodiscard]] bool hit() const noexcept { return first_hit() < units_.size(); }
  /// The pair that waits for the host, that of the first unit that has one; without a hit it means nothing.
  [[nodiscard]] const TriangleWork::Pair& shown() const noexcept {
    const std::size_t at = first_hit();
    return units_[at < units_.size() ? at : 0].pair();
  }
  /// Can one be handed more work at the end of this clock?
  [[nodiscard]] bool has_room(bool hit_ready) const noexcept { return free_unit(hit_ready) < units_.size(); }

  /// The edge; `work` is null if nothing is handed over. True if a hit was taken.
  bool clock(bool hit_ready, const TriangleWork* work) noexcept {
    const std::size_t shown = first_hit(), given = work == nullptr ? units_.size() : free_unit(hit_ready);
    SNUG_ASSERT(work == nullptr || (work->count > 0 && given < units_.size()));
    for (std::size_t i = 0; i < units_.size(); ++i) {
      Unit& unit = units_[i];
      if (unit.answered(i == shown && hit_ready))
        unit.left = unit.more() ? (++unit.at, clocks_) : 0;
      else if (unit.left > 1)
        --unit.left;
      if (i == given) unit = {*work, 0, clocks_};
    }
    return shown < units_.size() && hit_ready;
  }

 private:
  struct Unit {
    TriangleWork work;
    unsigned at = 0;    ///< the pair that is worked on
    unsigned left = 0;  ///< clocks until its answer is there: 1 when it is, 0 when nothing is in the unit

    [[nodiscard]] const TriangleWork::Pair& pair() const noexcept { return work.pairs[at]; }
    [[nodiscard]] bool more() const noexcept { return at + 1 < work.count; }
    [[nodiscard]] bool waits() const noexcept { return left == 1 && pair().kept; }
    /// Is the pair done at the end of this clock?
    [[nodiscard]] bool answered(bool taken) const noexcept { return left == 1 && (taken || !pair().kept); }
  };

  [[nodiscard]] std::size_t first_hit() const noexcept {
    std::size_t at = 0;
    while (at < units_.size() && !units_[at].waits()) ++at;
    return at;
  }
  [[nodiscard]] std::size_t free_unit(bool hit_ready) const noexcept {
    const std::size_t shown = first_hit();
    std::size_t at = 0;
    while (at < units_.size() && units_[at].left != 0 &&
           !(units_[at].answered(at == shown && hit_ready) && !units_[at].more()))
      ++at;
    return at;
  }

  unsigned clocks_;
  std::vector<Unit> units_;
};

}  // namespace snug::chip
