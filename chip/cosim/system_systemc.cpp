// Holds the SystemC of the whole chip to the cycle model, src/chip/system.hpp, pin by pin and clock by clock, over whole
// queries: two headlights in DDR memory, then small bodies with memory, hosts, errors, overflows and resets as chance will have them.
// The loosely timed model must report the same pairs, and about the same time. Exit code 0 if they agree, 1 if not, 2 for wrong usage.

#include "chip/model/loose_model.hpp"
#include "chip/model/system_model.hpp"

#include "chip/image.hpp"
#include "query/pairs/dop/fixed/triangle.hpp"
#include "scenes/random.hpp"
#include "scenes/worlds.hpp"

#include "chip_configurations.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string_view>

namespace snug::hardware {
namespace {

namespace cycle = chip;
using WorldRandom = scenes::Random;

struct Body {
  Mesh mesh;
  bvh::DopTree tree;
  explicit Body(Mesh m) : mesh(std::move(m)), tree(bvh::build_dop_tree(mesh)) {}
};

Mesh some_triangles(WorldRandom& random) {
  MeshInput input;
  const auto count = static_cast<std::uint32_t>(1 + random.below(40));
  for (std::uint32_t t = 0; t < count; ++t) {
    const Point3 at = random.point(-1, 1);
    for (int i = 0; i < 3; ++i) input.vertices.push_back(at + random.point(-0.3, 0.3));
    input.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return Mesh::build(std::move(input)).value();
}

SystemSetup setup_of(const cycle::Setup& s, unsigned width) {
  SystemSetup out;
  out.nodes_a = s.nodes_a, out.nodes_b = s.nodes_b, out.triangles_a = s.triangles_a, out.triangles_b = s.triangles_b;
  out.axes = s.axes, out.go_on = s.go_on;
  for (const query::fixed::Axis& axis : s.axis)
    out.axis.push_back({{axis.a.slab, axis.a.weight}, {axis.b.slab, axis.b.weight}, axis.offset});
  out.may_meet = [placement = s.placement, width](const CornerWords& a, const CornerWords& b) {
    const auto corners = [](const CornerWords& w) {
      return query::fixed::TriangleWords{{{w[0], w[1], w[2]}, {w[3], w[4], w[5]}, {w[6], w[7], w[8]}}};
    };
    return !placement.usable ||
           query::fixed::may_meet(corners(a), query::fixed::placed(corners(b), placement, width - 1), placement.slack);
  };
  return out;
}

/// Ready and beats as chance will have it, now and then with an error.
class FickleMemory final : public cycle::Memory {
 public:
  FickleMemory(const cycle::Words& words, std::uint64_t seed, bool errs)
      : contents_(words), random_(seed), errs_(errs) {
    roll();
  }
  [[nodiscard]] bool ready() const override { return ready_; }
  [[nodiscard]] cycle::Beat beat() const override {
    if (beats_.empty() || !comes_) return {};
    cycle::Beat beat = contents_.beat(beats_.front());
    beat.error = beat.error || wrong_;
    return beat;
  }
  void clock(const cycle::Request& request) override {
    if (!beats_.empty() && comes_) beats_.pop_front();
    if (request.valid && ready_)
      for (std::uint64_t i = 0; i < std::uint64_t{request.bursts} * cycle::k_burst_beats; ++i)
        beats_.push_back(std::uint64_t{request.address} * cycle::k_burst_beats + i);
    roll();
  }

 private:
  void roll() {
    ready_ = random_.below(3) == 0, comes_ = random_.below(4) != 0, wrong_ = errs_ && random_.below(200) == 0;
  }
  cycle::MemoryContents contents_;
  WorldRandom random_;
  bool errs_, ready_ = false, comes_ = false, wrong_ = false;
  std::deque<std::uint64_t> beats_;
};

/// Entries of the stack that all of these queries can do with.
constexpr unsigned k_enough = 64;

struct Seen {
  std::uint64_t queries = 0, clocks = 0, hits = 0, errors = 0, overflows = 0, resets = 0, slow = 0;
};

/// Both side by side for one query; false at the first pin that differs.
class Bench {
 public:
  Bench(const Configuration& c, unsigned depth)
      : width_(c.width),
        model_({c.name, c.width, c.axes, c.multiplier_stages}, {.stack_depth = depth}),
        systemc_(c, depth) {
    (void)clock({}, true, false);
  }

  bool query(const cycle::Image& image, cycle::Memory& memory, WorldRandom& random, bool slow,
             std::uint64_t reset_after) {
    ++seen.queries;
    model_.set(image.setup);
    systemc_.set(setup_of(image.setup, width_));
    cycle::Inputs in;
    in.start = true;
    if (!clock(in, false, false)) return false;
    for (std::uint64_t t = 0; model_.outputs().busy; ++t) {
      const cycle::Outputs out = model_.outputs();
      cycle::Inputs pins{
          .request_ready = memory.ready(), .beat = memory.beat(), .hit_ready = !slow || random.below(50) == 0};
      seen.slow += out.hit_valid && !pins.hit_ready ? 1 : 0;
      seen.hits += out.hit_valid && pins.hit_ready ? 1 : 0;
      memory.clock(out.request);
      const bool reset = reset_after != 0 && t == reset_after;
      if (!clock(pins, reset, true)) return false;
      seen.resets += reset ? 1 : 0;
    }
    seen.errors += model_.outputs().error ? 1 : 0;
    seen.overflows += model_.outputs().overflow ? 1 : 0;
    return true;
  }

  Seen seen;

 private:
  bool clock(cycle::Inputs in, bool reset, bool compared) {
    in.reset = reset;
    const cycle::Outputs expected = model_.outputs();
    SystemInputs pins;
    pins.reset = reset, pins.start = in.start, pins.request_ready = in.request_ready, pins.hit_ready = in.hit_ready;
    pins.beat_valid = in.beat.valid, pins.beat_error = in.beat.error, pins.beat = in.beat.data;
    const SystemOutputs out = systemc_.step(pins);
    model_.clock(in);
    ++seen.clocks;
    const cycle::Request& r = expected.request;
    const bool same = out.request_valid == r.valid &&
                      (!r.valid || (out.request_address == r.address && out.request_bursts == r.bursts)) &&
                      out.hit_valid == expected.hit_valid &&
                      (!out.hit_valid || (out.hit_a == expected.hit_a && out.hit_b == expected.hit_b)) &&
                      out.busy == expected.busy && out.done == expected.done && out.overflow == expected.overflow &&
                      out.error == expected.error;
    if (same || !compared) return true;
    std::printf("clock %llu of query %llu: request %d %u %u against %d %u %u, hit %d against %d, busy %d against %d\n",
                static_cast<unsigned long long>(seen.clocks), static_cast<unsigned long long>(seen.queries), r.valid,
                r.address, r.bursts, out.request_valid, out.request_address, out.request_bursts, expected.hit_valid,
                out.hit_valid, expected.busy, out.busy);
    return false;
  }

  unsigned width_;
  cycle::System model_;
  SystemModel systemc_;
};

/// Does the loosely timed model find the same, in about the time of the cycle model?
bool loosely_the_same(LooseModel& loose, const cycle::Configuration& configuration, cycle::Image image, double within) {
  // How many axes are tried while loading follows from the clocks, and what they tell apart from that.
  image.setup.go_on = false;
  image.setup.axis.resize(image.setup.axes);
  cycle::System system(configuration, {.stack_depth = 1 << 20});
  cycle::DdrMemory memory(image.words);
  const cycle::ChipRun expected = cycle::run(system, image.setup, memory);
  LooseModel::Answer answer = loose.ask(setup_of(image.setup, configuration.width), image.words);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> hits;
  for (const cycle::NumberPair& hit : expected.hits) hits.emplace_back(hit.a, hit.b);
  std::ranges::sort(hits);
  std::ranges::sort(answer.hits);
  const auto off = static_cast<double>(answer.clocks) / static_cast<double>(expected.counters.clocks) - 1;
  if (expected.counters.dop_tests > 1000)
    std::printf("loosely timed: %+.1f %% of %llu clocks\n", 100 * off,
                static_cast<unsigned long long>(expected.counters.clocks));
  const bool same = hits == answer.hits && expected.counters.dop_tests == answer.dop_tests &&
                    expected.counters.bursts == answer.bursts;
  if (!same || std::abs(off) > within)
    std::printf("loosely timed: %zu hits against %zu, %llu tests against %llu, %llu clocks against %llu\n",
                answer.hits.size(), hits.size(), static_cast<unsigned long long>(answer.dop_tests),
                static_cast<unsigned long long>(expected.counters.dop_tests),
                static_cast<unsigned long long>(answer.clocks),
                static_cast<unsigned long long>(expected.counters.clocks));
  return same && std::abs(off) <= within;
}

int compare(const Configuration& c, unsigned depth) {
  const bool is_long = std::getenv("SNUG_LONG") != nullptr;
  LooseModel loose(c);  // before the first clock of any
  Bench bench(c, depth);
  const cycle::Configuration configuration{c.name, c.width, c.axes, c.multiplier_stages};
  const auto image_of = [&](const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                            const cycle::AxisChoice& axes) {
    return cycle::make_image({a.mesh, a.tree, pose_a, b.mesh, b.tree, pose_b, query::kernels_for(Instructions::best)},
                             configuration, axes);
  };
  const Body light(scenes::headlight({}).assembly.parts()[0].mesh);
  WorldRandom random(15);
  for (int i = 0; i < (is_long ? 8 : 1); ++i) {
    const Pose turned = Pose::make(random.rotation(), {}).value();
    const Pose away = Pose::make(random.rotation(), 60.0 * random.point(-1, 1)).value();
    const cycle::Image image = image_of(light, turned, light, away, {.axes = c.axes, .most_axes = 64, .go_on = true});
    cycle::DdrMemory memory(image.words);
    if (!bench.query(image, memory, random, false, 0) || !loosely_the_same(loose, configuration, image, 0.06)) return 1;
  }
  for (std::uint64_t seed = 0; seed < (is_long ? 1000U : 60U); ++seed) {
    WorldRandom chance(seed);
    const Body a(some_triangles(chance)), b(some_triangles(chance));
    const auto axes = static_cast<unsigned>(1 + chance.below(30));
    const cycle::Image image = image_of(a, Pose::make(chance.rotation(), {}).value(), b,
                                        Pose::make(chance.rotation(), 0.5 * chance.point(-1, 1)).value(),
                                        {.axes = axes, .most_axes = 64, .go_on = chance.below(2) == 0});
    FickleMemory fickle(image.words, seed, chance.below(4) == 0);
    cycle::DdrMemory ddr(image.words);
    cycle::SteadyMemory steady(image.words, 1 + static_cast<unsigned>(chance.below(9)));
    cycle::Memory* memories[] = {&fickle, &ddr, &steady};
    const std::uint64_t reset_after = chance.below(5) == 0 ? 1 + chance.below(800) : 0;
    if (!bench.query(image, *memories[seed % 3], chance, chance.below(3) == 0, reset_after)) {
      std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
      return 1;
    }
    if (!loosely_the_same(loose, configuration, image, 0.07)) return 1;
  }
  const Seen& s = bench.seen;
  std::printf(
      "%s: %llu queries, %llu clocks, %llu hits, %llu errors, %llu overflows, %llu resets, %llu clocks with a hit that "
      "waits\n",
      c.name, static_cast<unsigned long long>(s.queries), static_cast<unsigned long long>(s.clocks),
      static_cast<unsigned long long>(s.hits), static_cast<unsigned long long>(s.errors),
      static_cast<unsigned long long>(s.overflows), static_cast<unsigned long long>(s.resets),
      static_cast<unsigned long long>(s.slow));
  // A run that has not met what it is for proves nothing.
  return (s.hits > 100 || depth < k_enough) && s.errors > 0 && (s.overflows > 0) == (depth < k_enough) &&
                 s.resets > 0 && s.slow > 0
             ? 0
             : 1;
}

}  // namespace
}  // namespace snug::hardware

int main(int argc, char** argv) {
  // Few entries of the stack overflow at times.
  const bool small = argc == 4 && std::string_view(argv[3]) == "--small-stack";
  for (const snug::hardware::Configuration& c : snug::hardware::k_configurations)
    if ((argc == 3 || small) && std::string_view(argv[1]) == "--config" && std::string_view(argv[2]) == c.name)
      return snug::hardware::compare(c, small ? 5 : 512);
  std::fputs("usage: chip_system_systemc --config NAME [--small-stack]\n", stderr);
  return 2;
}
