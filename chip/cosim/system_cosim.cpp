// Holds the RTL of the whole chip, or its gates, to the cycle model, src/query/dop/chip/system.hpp, on its buses: same pairs, same order
// of visits, same clocks, over whole queries of two shapes. Exit code 0 if they agree, 1 if not, 2 for wrong usage.

#include "chip/cosim/arguments.hpp"
#include "chip/cosim/axi_host.hpp"
#include "chip/cosim/system_queries.hpp"

#include "query/dop/chip/system.hpp"

#include <cstdio>

namespace snug::chip {
namespace {

using detail::chip::Counters;
using detail::chip::NumberPair;
using detail::chip::Outputs;
using detail::chip::Request;
using detail::chip::System;

constexpr unsigned k_beats_of_burst = detail::chip::k_burst_beats;
constexpr unsigned k_longest_pause = 200, k_longest_read = 20000;
constexpr std::uint64_t k_many = 40;

struct Seen {
  std::uint64_t queries = 0, clocks = 0, hits = 0, overflows = 0, errors = 0, resets = 0, flushed = 0, refused = 0;
  std::uint64_t dop_tests = 0, triangle_tests = 0, ignored = 0, continued = 0, hit_stalls = 0;
};

/// Both chips side by side, and what stands between core and buses: one place for hits, and requests that outlive a reset.
class Bench {
 public:
  Bench(SystemUnit& unit, const detail::chip::Configuration& c, unsigned stack_depth, Random& random, Seen& seen)
      : host(random), unit_(unit), model_(c, {.stack_depth = stack_depth}), seen_(seen) {
    BusInputs in;
    in.reset = true;
    for (unsigned i = 0; i < 2; ++i) unit_.step(in);
  }

  AxiHost host;
  std::vector<NumberPair> hits;  ///< as the host has read them
  std::size_t hits_before = 0;   ///< those that are not of this query
  std::string failure;

  void load(const Query& query) {
    const detail::chip::Setup& s = query.image.setup;
    const auto n = static_cast<std::uint32_t>(s.axis.size());
    host.write(registers::axes, s.axes | n << 8 | (s.go_on ? 1U << 16 : 0U));
    host.write(registers::triangle, s.placement.slack | (s.placement.usable ? 0U : 1U << 8));
    const std::array<std::uint32_t, 4> addresses{s.nodes_a, s.nodes_b, s.triangles_a, s.triangles_b};
    for (std::uint32_t i = 0; i < 4; ++i) host.write(registers::addresses + 4 * i, addresses[i]);
    for (std::uint32_t i = 0; i < 9; ++i) host.write_wide(registers::placement + 8 * i, s.placement.rotation[i]);
    for (std::uint32_t i = 0; i < 3; ++i)
      host.write_wide(registers::placement + 8 * (9 + i), s.placement.translation[i]);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t at = registers::axis + registers::axis_bytes * i;
      const detail::fixed::Axis& axis = s.axis[i];
      std::uint32_t slabs = 0;
      const auto slab_and_side = [](std::uint32_t j) { return j % 12 + (j >= 12 ? 16 : 0); };
      for (std::uint32_t k = 0; k < 3; ++k) {
        host.write_wide(at + 8 * k, axis.a.weight[k]);
        host.write_wide(at + 8 * (3 + k), axis.b.weight[k]);
        slabs |= slab_and_side(axis.a.slab[k]) << 5 * k | slab_and_side(axis.b.slab[k]) << (15 + 5 * k);
      }
      host.write_wide(at + 48, axis.offset);
      host.write(at + 56, slabs);
    }
    while (!host.idle() && failure.empty()) clock(nullptr);
    setup_ = s;
    model_.set(s);
  }

  /// One clock of everything.
  void clock(detail::chip::Memory* memory, bool reset = false) {
    const Outputs expected = model_.outputs();
    BusInputs in;
    in.reset = reset;
    host.drive(in);
    if (memory != nullptr) {
      in.memory_ready = memory->ready();
      in.beat = memory->beat();
      in.beat_last = in.beat.valid && beats_.front() == 1;
    }
    const BusOutputs out = unit_.step(in);
    ++seen_.clocks;
    compare(expected, out);

    // What the core sees of it.
    const auto access = reset ? std::nullopt : host.accepted(in, out);
    const bool whole = access && access->write && access->strobe == 0xf && access->address == registers::control;
    const bool reset_core = whole && (access->data & 2) != 0;
    const bool accepted = out.request_valid && in.memory_ready;
    detail::chip::Inputs core{.reset = reset || reset_core,
                              .start = whole && (access->data & 1) != 0,
                              .request_ready = in.memory_ready && !flushing_,
                              .beat = flushing_ ? detail::chip::Beat{} : in.beat,
                              .hit_ready = !held_};
    if (access && !access->write) note_read(*access, expected);
    seen_.hit_stalls += expected.hit_valid && held_ ? 1 : 0;
    const bool takes_hit = access && !access->write && access->address == registers::hit_b;
    if (expected.hit_valid && !held_) {
      held_hit_ = {true, expected.hit_a, expected.hit_b};
      held_ = true;
    } else if (takes_hit) {
      held_ = false;
    }
    if (core.reset) held_ = false;

    // The bus: beats of what is under way, and a request that a reset has left standing.
    if (reset_core) seen_.flushed += under_way_ != 0 || (out.request_valid && !accepted) ? 1 : 0;
    flushing_ = reset_core || (flushing_ && (held_request_.valid || under_way_ != 0));
    if (in.memory_ready) {
      held_request_.valid = false;
    } else if (reset_core && out.request_valid && !held_request_.valid) {
      held_request_ = expected.request;
    }
    if (in.beat.valid && --beats_.front() == 0) beats_.pop_front();
    under_way_ = under_way_ + (accepted ? 1 : 0) - (in.beat_last ? 1 : 0);
    if (accepted) beats_.push_back(out.request_beats);
    if (memory != nullptr)
      memory->clock({out.request_valid, static_cast<std::uint32_t>(out.request_address / 64),
                     out.request_beats / k_beats_of_burst});
    if (core.start && !core.reset && !expected.busy) hits_before = hits.size() + (held_ ? 1 : 0);
    if (reset) {
      flushing_ = held_request_.valid = false;
      under_way_ = 0;
      beats_.clear();
      host.reset();
      return model_.clock(core);
    }
    still_ = host.idle() || access ? 0 : still_ + 1;
    if (still_ > k_longest_pause) fail("the bus of the registers stands still");
    unanswered_ = under_way_ == 0 || in.beat.valid ? 0 : unanswered_ + 1;
    if (unanswered_ > k_longest_read) fail("memory does not answer");
    model_.clock(core);
    if (reset_core) model_.set(setup_);  // which the registers keep
    if (const auto answer = host.clock(in, out)) check(*answer);
  }

  [[nodiscard]] bool busy() const { return model_.outputs().busy; }
  [[nodiscard]] bool hit_waits() const { return held_; }
  [[nodiscard]] Outputs outputs() const { return model_.outputs(); }
  [[nodiscard]] const Counters& counters() const { return model_.counters(); }
  [[nodiscard]] bool quiet() const { return under_way_ == 0 && !flushing_; }

 private:
  void fail(const std::string& what) {
    if (failure.empty()) failure = "clock " + std::to_string(seen_.clocks) + ": " + what;
  }

  void compare(const Outputs& expected, const BusOutputs& out) {
    const Request& r = held_request_.valid ? held_request_ : expected.request;
    const bool valid = held_request_.valid || (expected.request.valid && !flushing_);
    if (out.request_valid != valid) return fail(valid ? "no request" : "a request that nobody makes");
    if (valid &&
        (out.request_address != std::uint64_t{r.address} * 64 || out.request_beats != r.bursts * k_beats_of_burst))
      fail("a request of something else");
    if (valid && !out.request_as_agreed) fail("a burst of another kind");
    if (!out.beat_ready) fail("beats are not taken");
  }

  /// What a register holds in the clock in which it is read.
  void note_read(const AxiHost::Access& access, const Outputs& o) {
    const auto bit = [](bool b, unsigned at) { return b ? 1U << at : 0U; };
    const Counters& c = model_.counters();
    const std::array<std::uint64_t, 11> counts{c.dop_tests,      c.triangle_tests, c.axis_tests,   c.ignored,
                                               c.bursts,         c.hits,           c.waits_memory, c.waits_result,
                                               c.waits_triangle, c.waits_pipe,     c.most_waiting};
    expected_read_.reset();
    if (access.address == registers::status)
      expected_read_ = bit(o.busy, 0) | bit(o.done, 1) | bit(o.overflow, 2) | bit(o.error, 3) | bit(held_, 4);
    if (access.address == registers::hit_a && held_) expected_read_ = held_hit_.a;
    if (access.address == registers::hit_b && held_) expected_read_ = held_hit_.b;
    if (access.address == registers::clocks) expected_read_ = static_cast<std::uint32_t>(c.clocks);
    if (access.address == registers::clocks + 4) expected_read_ = static_cast<std::uint32_t>(c.clocks >> 32);
    if (access.address >= registers::counters && access.address < registers::counters + 44)
      expected_read_ = static_cast<std::uint32_t>(counts[(access.address - registers::counters) / 4]);
  }

  void check(const AxiHost::Answer& answer) {
    const std::uint32_t at = answer.access.address;
    const bool in_axes = at >= registers::axis;
    const bool written = in_axes || at == registers::control || (at >= registers::axes && at < registers::hit_a) ||
                         (at >= registers::placement && at < registers::placement + 96);
    const bool known = answer.access.write ? written && answer.access.strobe == 0xf : at < registers::counters + 44;
    if (answer.response != (known ? 0U : 2U)) return fail("the answer to an access of " + std::to_string(at));
    seen_.refused += known ? 0 : 1;
    if (answer.access.write) return;
    if (expected_read_ && answer.data != *expected_read_)
      fail("register " + std::to_string(at) + " is " + std::to_string(answer.data) + ", not " +
           std::to_string(*expected_read_));
    if (at == registers::hit_a) hit_a_ = answer.data;
    if (at == registers::hit_b) hits.push_back({true, hit_a_, answer.data});
  }

  SystemUnit& unit_;
  System model_;
  detail::chip::Setup setup_;
  Seen& seen_;
  bool held_ = false;  ///< a hit waits for the host
  NumberPair held_hit_;
  std::deque<unsigned> beats_;  ///< still to come of each request
  unsigned under_way_ = 0;
  bool flushing_ = false;
  unsigned still_ = 0;       ///< clocks in which the host waits for the chip
  unsigned unanswered_ = 0;  ///< and the chip for memory
  Request held_request_;
  std::optional<std::uint32_t> expected_read_;
  std::uint32_t hit_a_ = 0;
};

/// A query from start to end, with a host that polls.
void ask(Bench& bench, Query& query, Random& random, Seen& seen) {
  bench.load(query);
  bench.host.write(registers::control, 1);
  std::uint64_t reset_in = query.reset_after;
  bool begun = false;
  while (bench.failure.empty()) {
    if (bench.busy()) begun = true;
    if (begun && !bench.busy() && bench.host.idle() && !bench.hit_waits()) break;
    if (bench.host.idle() && random.below(64) < query.host_hurry) {
      bench.host.read(registers::status);
      if (bench.hit_waits()) bench.host.read(registers::hit_a), bench.host.read(registers::hit_b);
      if (random.one_in(64)) bench.host.write(registers::control, 1);  // ignored while busy
    }
    if (begun && reset_in != 0 && --reset_in == 0) {
      ++seen.resets;
      if (query.whole_reset) {
        bench.clock(query.memory.get(), true);
        return;
      }
      while (!bench.host.idle() && bench.failure.empty()) bench.clock(query.memory.get());
      bench.host.write(registers::control, 2);
      // Again at once, while beats of before are still to come; or not at all.
      if (query.again) {
        bench.host.write(registers::control, 1);
        continue;
      }
      while (bench.failure.empty() && (!bench.host.idle() || !bench.quiet())) bench.clock(query.memory.get());
      return;
    }
    bench.clock(query.memory.get());
  }
  if (!bench.failure.empty()) return;
  const Outputs out = bench.outputs();
  const Counters c = bench.counters();
  for (std::uint32_t at = registers::clocks; at < registers::counters + 44; at += 4) bench.host.read(at);
  while (!bench.host.idle() && bench.failure.empty()) bench.clock(query.memory.get());
  if (bench.hits.size() - bench.hits_before != c.hits && bench.failure.empty())
    bench.failure = "hits were lost on the way to the host";
  ++seen.queries;
  seen.hits += c.hits;
  seen.overflows += out.overflow ? 1 : 0;
  seen.errors += out.error ? 1 : 0;
  seen.dop_tests += c.dop_tests;
  seen.triangle_tests += c.triangle_tests;
  seen.ignored += c.ignored;
  seen.continued += query.image.setup.go_on ? 1 : 0;
}

int run(const Arguments& arguments) {
  const detail::chip::Configuration* const c = detail::chip::find_configuration(arguments.configuration->name);
  const SystemUnderTest under_test = make_system(arguments.configuration->name);
  if (!under_test.unit || c == nullptr) {
    std::fprintf(stderr, "chip_system_cosim: no chip of configuration %s\n", arguments.configuration->name);
    return 2;
  }
  Random random(arguments.seed);
  Seen seen;
  Bench bench(*under_test.unit, *c, under_test.stack_depth, random, seen);
  const Shapes shapes;
  std::string query_name;
  for (std::uint64_t i = 0; i < arguments.vectors && bench.failure.empty(); ++i) {
    Query query = shapes.random_query(random, *c, i);
    query_name = query.name;
    ask(bench, query, random, seen);
    // Nothing of what this query has asked for may meet the next one's memory.
    while (bench.failure.empty() && !bench.quiet()) bench.clock(query.memory.get());
    // What is not there, or not whole, is refused and changes nothing.
    bench.host.write(registers::axes, 0xffffffff, 0x7);
    bench.host.write(registers::hit_a, 1);
    bench.host.read(registers::placement);
    while (!bench.host.idle() && bench.failure.empty()) bench.clock(nullptr);
  }
  if (!arguments.coverage.empty() && under_test.write_coverage) under_test.write_coverage(arguments.coverage);
  const auto n = [](std::uint64_t count) { return static_cast<unsigned long long>(count); };
  std::printf("%s: chip against cycle model, stack of %u, %llu queries in %llu clocks, seed %llu\n", c->name.data(),
              under_test.stack_depth, n(seen.queries), n(seen.clocks), n(arguments.seed));
  std::printf(
      "%llu pairs of DOPs, %llu of triangles, %llu hits, %llu results ignored; %llu queries went on beyond n axes\n",
      n(seen.dop_tests), n(seen.triangle_tests), n(seen.hits), n(seen.ignored), n(seen.continued));
  std::printf(
      "%llu overflows, %llu memory errors, %llu resets, %llu of them with reads under way, %llu stalls by hits, %llu "
      "refused\n",
      n(seen.overflows), n(seen.errors), n(seen.resets), n(seen.flushed), n(seen.hit_stalls), n(seen.refused));
  if (!bench.failure.empty()) {
    std::printf("FAILED: %s, %s\n", query_name.c_str(), bench.failure.c_str());
    return 1;
  }
  // A few queries can not meet everything.
  if (arguments.vectors < k_many) return 0;
  const bool shallow = under_test.stack_depth < 64;
  if (seen.hits == 0 || seen.errors == 0 || seen.resets == 0 || seen.flushed == 0 || seen.hit_stalls == 0 ||
      seen.continued == 0 || (seen.overflows != 0) != shallow) {
    std::puts("FAILED: too few of the cases this is for were met");
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace snug::chip

int main(int argc, char** argv) {
  snug::chip::Arguments arguments;
  arguments.vectors = snug::chip::long_run() ? 2000 : 80;
  if (!snug::chip::read(argc, argv, arguments)) return snug::chip::usage("chip_system_cosim");
  return snug::chip::run(arguments);
}
