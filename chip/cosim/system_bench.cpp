#include "chip/cosim/system_bench.hpp"

namespace snug::hardware {

using chip::Counters;
using chip::Outputs;
using chip::Request;

namespace {

constexpr unsigned k_beats_of_burst = chip::k_burst_beats;
constexpr unsigned k_longest_pause = 200, k_longest_read = 20000, k_triangle_clocks = 64;
constexpr std::uint64_t k_page = 4096;

/// Bits of the registers that can be read back.
std::uint32_t bits_of(std::uint32_t address) {
  return address == registers::axes ? 0x1ffffU : address == registers::triangle ? 0x13fU : 0xffffffffU;
}

}  // namespace

Bench::Bench(SystemUnit& unit, const chip::Configuration& c, unsigned stack_depth, Random& random, Seen& seen)
    : host(random),
      unit_(unit),
      model_(c, {.stack_depth = stack_depth}),
      stages_(6 + c.multiplier_stages),
      random_(random),
      seen_(seen) {
  BusInputs in;
  in.reset = true;
  for (unsigned i = 0; i < 2; ++i) unit_.step(in);
}

void Bench::load(const Query& query) {
  const chip::Setup& s = query.image.setup;
  const auto n = static_cast<std::uint32_t>(s.axis.size());
  host.write(registers::axes, s.axes | n << 8 | (s.go_on ? 1U << 16 : 0U));
  host.write(registers::triangle, s.placement.slack | (s.placement.usable ? 0U : 1U << 8));
  const std::array<std::uint32_t, 4> addresses{s.nodes_a, s.nodes_b, s.triangles_a, s.triangles_b};
  for (std::uint32_t i = 0; i < 4; ++i) host.write(registers::addresses + 4 * i, addresses[i]);
  for (std::uint32_t i = 0; i < 9; ++i) host.write_wide(registers::placement + 8 * i, s.placement.rotation[i]);
  for (std::uint32_t i = 0; i < 3; ++i) host.write_wide(registers::placement + 8 * (9 + i), s.placement.translation[i]);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t at = registers::axis + registers::axis_bytes * i;
    const query::fixed::Axis& axis = s.axis[i];
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
  // What is not there, or not whole, is refused and changes nothing: the query is right, and what can be read back is as it was.
  for (const std::uint32_t at : {registers::axes, registers::triangle, registers::addresses, registers::addresses + 12,
                                 registers::placement, registers::axis})
    host.write(at, static_cast<std::uint32_t>(random_.next()), static_cast<unsigned>(random_.below(15)));
  host.write(registers::control, 3, static_cast<unsigned>(random_.below(15)));
  host.write(registers::hit_a, 1);
  host.read(registers::placement);
  for (std::uint32_t at = registers::axes; at < registers::hit_a; at += 4) host.read(at);
  finish(nullptr);
  setup_ = s;
  model_.set(s);
}

void Bench::finish(chip::Memory* memory) {
  while (!host.idle() && failure.empty()) clock(memory);
}

void Bench::clock(chip::Memory* memory, bool reset) {
  const Outputs expected = model_.outputs();
  BusInputs in;
  in.reset = reset;
  host.drive(in);
  if (memory != nullptr) {
    in.memory_ready = memory->ready();
    in.beat = memory->beat();
    in.beat_last = in.beat.valid && beats_.front() == 1;
    in.beat_response = in.beat.error ? 1 + static_cast<unsigned>(random_.below(3)) : 0;
  }
  const BusOutputs out = unit_.step(in);
  ++seen_.clocks;
  compare(expected, out);

  // What the core sees of it.
  const auto access = reset ? std::nullopt : host.accepted(in, out);
  const bool whole = access && access->write && access->strobe == 0xf;
  const bool control = whole && access->address == registers::control;
  const bool reset_core = control && (access->data & 2) != 0;
  const bool accepted = out.request_valid && in.memory_ready;
  chip::Inputs core{.reset = reset || reset_core,
                    .start = control && (access->data & 1) != 0,
                    .request_ready = in.memory_ready && !flushing_,
                    .beat = flushing_ ? chip::Beat{} : in.beat,
                    .hit_ready = !held_};
  if (access && !access->write) expected_.push_back(expected_of(*access, expected));
  if (whole && access->address >= registers::axes && access->address < registers::hit_a)
    written_[access->address] = access->data & bits_of(access->address);
  if (core.reset && expected.busy) note_reset(reset, out.request_valid && !accepted);
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
  const std::uint64_t tests = counters().axis_tests, triangles = counters().triangle_tests;
  if (reset) {
    flushing_ = held_request_.valid = false;
    under_way_ = 0;
    beats_.clear();
    expected_.clear();
    host.reset();
    return model_.clock(core);
  }
  still_ = host.idle() || access ? 0 : still_ + 1;
  if (still_ > k_longest_pause) fail("the bus of the registers stands still");
  unanswered_ = under_way_ == 0 || in.beat.valid ? 0 : unanswered_ + 1;
  if (unanswered_ > k_longest_read) fail("memory does not answer");
  model_.clock(core);
  if (counters().axis_tests > tests) last_test_ = seen_.clocks;
  if (counters().triangle_tests > triangles) last_triangles_ = seen_.clocks;
  if (reset_core) model_.set(setup_);  // which the registers keep
  if (const auto answer = host.clock(in, out)) check(*answer);
}

void Bench::fail(const std::string& what) {
  if (failure.empty()) failure = "clock " + std::to_string(seen_.clocks) + ": " + what;
}

void Bench::note_reset(bool whole, bool request_waits) {
  ++seen_.resets;
  seen_.resets_with_reads += under_way_ != 0 || request_waits ? 1 : 0;
  seen_.resets_with_tests += last_test_ != 0 && seen_.clocks - last_test_ <= stages_ ? 1 : 0;
  seen_.resets_with_triangles += last_triangles_ != 0 && seen_.clocks - last_triangles_ <= k_triangle_clocks ? 1 : 0;
  seen_.resets_with_hits += held_ ? 1 : 0;
  seen_.reset_clocks[whole ? 1 : 0].insert(counters().clocks);
}

void Bench::compare(const Outputs& expected, const BusOutputs& out) {
  const Request& r = held_request_.valid ? held_request_ : expected.request;
  const bool valid = held_request_.valid || (expected.request.valid && !flushing_);
  if (out.request_valid != valid) return fail(valid ? "no request" : "a request that nobody makes");
  if (valid &&
      (out.request_address != std::uint64_t{r.address} * 64 || out.request_beats != r.bursts * k_beats_of_burst))
    fail("a request of something else");
  if (valid && !out.request_as_agreed) fail("a burst of another kind");
  if (valid && out.request_address / k_page != (out.request_address + 16 * out.request_beats - 1) / k_page)
    fail("a burst that crosses 4 KiB");
  if (!out.beat_ready) fail("beats are not taken");
}

/// What a register holds in the clock in which it is read.
std::optional<std::uint32_t> Bench::expected_of(const AxiHost::Access& access, const Outputs& o) const {
  const auto bit = [](bool b, unsigned at) { return b ? 1U << at : 0U; };
  const Counters& c = model_.counters();
  const std::array<std::uint64_t, 11> counts{c.dop_tests,      c.triangle_tests, c.axis_tests,   c.ignored,
                                             c.bursts,         c.hits,           c.waits_memory, c.waits_result,
                                             c.waits_triangle, c.waits_pipe,     c.most_waiting};
  const std::uint32_t at = access.address;
  if (at == registers::status)
    return bit(o.busy, 0) | bit(o.done, 1) | bit(o.overflow, 2) | bit(o.error, 3) | bit(held_, 4);
  if (at == registers::hit_a && held_) return held_hit_.a;
  if (at == registers::hit_b && held_) return held_hit_.b;
  if (at == registers::clocks) return static_cast<std::uint32_t>(c.clocks);
  if (at == registers::clocks + 4) return static_cast<std::uint32_t>(c.clocks >> 32);
  if (at >= registers::counters && at < registers::counters + 44)
    return static_cast<std::uint32_t>(counts[(at - registers::counters) / 4]);
  if (const auto found = written_.find(at); found != written_.end()) return found->second;
  return {};
}

void Bench::check(const AxiHost::Answer& answer) {
  const std::uint32_t at = answer.access.address;
  const bool in_axes = at >= registers::axis;
  const bool written = in_axes || at == registers::control || (at >= registers::axes && at < registers::hit_a) ||
                       (at >= registers::placement && at < registers::placement + 96);
  const bool known = answer.access.write ? written && answer.access.strobe == 0xf : at < registers::counters + 44;
  if (answer.response != (known ? 0U : 2U)) return fail("the answer to an access of " + std::to_string(at));
  seen_.refused += known ? 0 : 1;
  if (answer.access.write) return;
  const std::optional<std::uint32_t> expected = expected_.front();
  expected_.pop_front();
  if (expected && answer.data != *expected)
    fail("register " + std::to_string(at) + " is " + std::to_string(answer.data) + ", not " +
         std::to_string(*expected));
  if (at == registers::hit_a) hit_a_ = answer.data;
  if (at == registers::hit_b) hits.push_back({true, hit_a_, answer.data});
}

namespace {

void read_counters(Bench& bench) {
  for (std::uint32_t at = registers::clocks; at < registers::counters + 44; at += 4) bench.host.read(at);
}

}  // namespace

void ask(Bench& bench, Query& query, Random& random, Seen& seen) {
  chip::Memory* const memory = query.memory.get();
  bench.load(query);
  bench.host.write(registers::control, 1);
  std::uint64_t reset_in = query.reset_after;
  bool begun = false;
  while (bench.failure.empty()) {
    if (bench.busy()) begun = true;
    if (begun && !bench.busy() && bench.host.idle() && !bench.hit_waits()) break;
    if (bench.host.idle() && random.below(256) < query.host_hurry) {
      bench.host.read(registers::status);
      if (bench.hit_waits()) bench.host.read(registers::hit_a), bench.host.read(registers::hit_b);
      if (query.starts_twice && random.one_in(64)) bench.host.write(registers::control, 1);
    }
    if (begun && reset_in != 0 && --reset_in == 0) {
      if (query.whole_reset) {
        bench.clock(memory, true);
        read_counters(bench);
        bench.finish(nullptr);
        return;
      }
      bench.host.write(registers::control, 2);
      // Again at once, while beats of before are still to come; or not at all.
      if (query.again) {
        bench.host.write(registers::control, 1);
        continue;
      }
      bench.host.read(registers::status);
      read_counters(bench);
      bench.finish(memory);
      while (bench.failure.empty() && !bench.quiet()) bench.clock(memory);
      return;
    }
    bench.clock(memory);
  }
  if (!bench.failure.empty()) return;
  const Outputs out = bench.outputs();
  const Counters c = bench.counters();
  read_counters(bench);
  bench.finish(memory);
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

}  // namespace snug::hardware
