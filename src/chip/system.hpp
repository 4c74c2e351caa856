#pragma once

#include "chip/configuration.hpp"
#include "chip/memory.hpp"
#include "chip/record_cache.hpp"
#include "chip/stack.hpp"
#include "chip/triangle_bank.hpp"
#include "query/pairs/dop/fixed/sums.hpp"
#include "query/pairs/dop/fixed/triangle.hpp"
#include "support/rooms.hpp"

#include <array>
#include <vector>

namespace snug::chip {

inline constexpr unsigned k_most_chip_axes = 64;

/// What the host sets before a start.
struct Setup {
  std::uint32_t nodes_a = 0, nodes_b = 0, triangles_a = 0, triangles_b = 0;  ///< addresses, in bursts
  unsigned axes = 1;              ///< n: tried at least, unless one separates
  std::vector<fixed::Axis> axis;  ///< N of them, n <= N <= k_most_chip_axes
  bool go_on = false;             ///< test beyond n axes while another pair is being loaded
  fixed::Placement placement;     ///< if not usable, every pair of triangles is kept
};

/// What the chip is made of, beyond its configuration. As it stands it is the contract's; the rest is for studies.
struct Structure {
  std::size_t stack_depth = 512;
  unsigned triangle_clocks = 64;
  unsigned pipes = 1;           ///< that try axes of a pair side by side
  unsigned axes_of_leaves = 0;  ///< n for pairs of leaves, if not 0
  bool queue = false;           ///< first in, first out
  unsigned cached_records = 0;  ///< of each body: those that are there take one clock instead of a request
  unsigned triangle_units = 1;  ///< that work on pairs side by side
  /// n for pairs so many steps below the roots, the last for all further down; none: that of the setup.
  std::vector<unsigned> axes_of_level{};
  /// GetData takes all pairs of an entry one after the other, whatever is pushed meanwhile.
  bool whole_entries = false;
  unsigned relative_bits = 0;  ///< q of relative.hpp, if not 0; with whole entries only
  bool quadrangles = false;    ///< leaves of one or two triangles (bvh/dop24/quads.hpp)
};

struct Counters {
  std::uint64_t clocks = 0;
  std::uint64_t dop_tests = 0, triangle_tests = 0, axis_tests = 0, ignored = 0, bursts = 0, hits = 0;
  std::uint64_t waits_memory = 0, waits_result = 0, waits_triangle = 0, waits_pipe = 0;
  std::uint64_t most_waiting = 0;
  friend bool operator==(const Counters&, const Counters&) = default;
};

/// Pins driven in one clock.
struct Inputs {
  bool reset = false;
  bool start = false;
  bool request_ready = false;
  Beat beat;
  bool hit_ready = true;
};
/// Pins as registers alone make them.
struct Outputs {
  Request request;
  bool hit_valid = false;
  std::uint32_t hit_a = 0, hit_b = 0;  ///< mean something only with hit_valid
  bool busy = false, done = false, overflow = false, error = false;
};

/// The whole chip, clock by clock, as docs/chip-system.md states it: what SystemC and RTL are held to. One clock is outputs(), then
/// clock() with what the world makes of them.
class System {
 public:
  explicit System(const Configuration& configuration, const Structure& structure = {});

  void set(Setup setup);
  [[nodiscard]] Outputs outputs() const noexcept;
  void clock(const Inputs& in);

  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

 private:
  enum class State : std::uint8_t { ready, run, stop };
  enum class Loading : std::uint8_t { idle, pop, ask_a, ask_b, load, full };

  struct Node {
    std::uint32_t number = 0;
    DopLinks links;
  };
  /// A pair as GetData holds it.
  struct Loaded {
    NumberPair pair;
    unsigned level = 0;
    unsigned beats_each = 0, beats = 0;
    bool absolute = true;          ///< nothing has to be made of its coefficients any more
    std::array<bool, 2> cached{};  ///< or on the chip for another reason: nothing is asked for
    std::array<RecordWords, 2> words{};
    [[nodiscard]] unsigned beats_due() const noexcept {
      return beats_each * (cached[0] ? cached[1] ? 0 : 1 : cached[1] ? 1 : 2);
    }
  };
  /// A pair that is tested, or was just before.
  struct Tested {
    Node a, b;
    unsigned level = 0;
    DopWords dop_a{}, dop_b{};
  };
  /// Of one or more axes, as many as there are pipes.
  struct Test {
    bool valid = false, separated = false, last = false;
    std::uint32_t a = 0, b = 0;
    unsigned axes = 0;
  };
  struct Result {
    bool ignored = false, separated = false, overlap = false;
  };

  void start() noexcept;
  [[nodiscard]] Result judged(const Test& result) const noexcept;
  [[nodiscard]] StackEntry children_of(const Test& result) const noexcept;
  [[nodiscard]] Test next_test(bool last, unsigned axes) const noexcept;
  [[nodiscard]] unsigned axes_of_current() const noexcept;
  [[nodiscard]] unsigned record_bursts() const noexcept;
  [[nodiscard]] std::uint32_t record_of(std::uint32_t node) const noexcept;
  [[nodiscard]] Request request() const noexcept;
  void take_pair() noexcept;
  void take(const Beat& beat) noexcept;
  void keep_records() noexcept;
  void hand_over_dops() noexcept;
  void decode(std::size_t body, DopWords& dop, Node& node) const noexcept;
  [[nodiscard]] TriangleWork next_triangles() const noexcept;
  void count_waits(bool handed_over) noexcept;

  Configuration configuration_;
  Structure structure_;
  fixed::Format format_;
  Setup setup_;
  Counters counters_;

  State state_ = State::ready;
  bool done_ = false, overflow_ = false, error_ = false;
  Stack stack_;

  Loading loading_ = Loading::idle;
  Loaded next_;
  RecordCache cache_;
  StackEntry entry_;         ///< with whole entries: the one that GetData goes through
  bool entry_left_ = false;  ///< it has pairs that were not taken yet

  Tested current_;
  /// Those before, the latest first. One is what the contract has; a cache can bring pairs five clocks apart.
  std::array<Tested, 2> previous_{};
  bool testing_ = false;
  unsigned axis_ = 0;

  std::vector<Test> pipe_;  ///< a ring; `pipe_end_` is what leaves next
  std::size_t pipe_end_ = 0;
  unsigned in_flight_ = 0;
  bool dead_ = false;
  std::uint32_t dead_a_ = 0, dead_b_ = 0;

  TriangleBank triangles_;
};

}  // namespace snug::chip
