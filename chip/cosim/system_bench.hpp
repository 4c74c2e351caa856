#pragma once

#include "chip/cosim/axi_host.hpp"
#include "chip/cosim/system_queries.hpp"

#include "chip/system.hpp"

#include <deque>
#include <map>
#include <set>

namespace snug::hardware {

/// What a run has met.
struct Seen {
  std::uint64_t queries = 0, clocks = 0, hits = 0, overflows = 0, errors = 0, refused = 0;
  std::uint64_t dop_tests = 0, triangle_tests = 0, ignored = 0, continued = 0, hit_stalls = 0;
  std::uint64_t resets = 0, resets_with_reads = 0, resets_with_tests = 0, resets_with_triangles = 0,
                resets_with_hits = 0;
  std::array<std::set<std::uint64_t>, 2> reset_clocks;  ///< of a query, by the register and of everything
};

/// Chip and cycle model side by side on the chip's buses, and what stands between core and buses: one place for hits, and requests that
/// outlive a reset. The first thing in which they differ is kept as `failure`.
class Bench {
 public:
  Bench(SystemUnit& unit, const chip::Configuration& c, unsigned stack_depth, Random& random, Seen& seen);

  AxiHost host;
  std::vector<chip::NumberPair> hits;  ///< as the host has read them
  std::size_t hits_before = 0;         ///< those that are not of this query
  std::string failure;

  /// Writes everything that the host sets.
  void load(const Query& query);
  /// One clock of everything.
  void clock(chip::Memory* memory, bool reset = false);
  /// Clocks until the host has its answers.
  void finish(chip::Memory* memory);

  [[nodiscard]] bool busy() const { return model_.outputs().busy; }
  [[nodiscard]] bool hit_waits() const { return held_; }
  [[nodiscard]] chip::Outputs outputs() const { return model_.outputs(); }
  [[nodiscard]] const chip::Counters& counters() const { return model_.counters(); }
  [[nodiscard]] bool quiet() const { return under_way_ == 0 && !flushing_; }

 private:
  void fail(const std::string& what);
  void compare(const chip::Outputs& expected, const BusOutputs& out);
  [[nodiscard]] std::optional<std::uint32_t> expected_of(const AxiHost::Access& access, const chip::Outputs& o) const;
  void check(const AxiHost::Answer& answer);
  void note_reset(bool whole, bool request_waits);

  SystemUnit& unit_;
  chip::System model_;
  unsigned stages_;
  chip::Setup setup_;
  Random& random_;
  Seen& seen_;
  bool held_ = false;  ///< a hit waits for the host
  chip::NumberPair held_hit_;
  std::map<std::uint32_t, std::uint32_t> written_;  ///< registers that can be read back
  std::deque<unsigned> beats_;                      ///< still to come of each request
  unsigned under_way_ = 0;
  bool flushing_ = false;
  unsigned still_ = 0;       ///< clocks in which the host waits for the chip
  unsigned unanswered_ = 0;  ///< and the chip for memory
  std::uint64_t last_test_ = 0,
                last_triangles_ =
                    0;  ///< clocks of the run in which the pipe and the triangle unit were given something
  chip::Request held_request_;
  std::deque<std::optional<std::uint32_t>> expected_;  ///< of reads that are not answered yet
  std::uint32_t hit_a_ = 0;
};

/// A query from start to end, or to its reset, with a host that polls.
void ask(Bench& bench, Query& query, Random& random, Seen& seen);

}  // namespace snug::hardware
