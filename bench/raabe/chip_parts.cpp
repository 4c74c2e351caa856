// The figures of the chip, in clocks of its cycle model: the same on every machine, but for the software beside it.

#include "bench/pairs/clock.hpp"
#include "bench/raabe/run.hpp"
#include "query/dop/chip/walk.hpp"
#include "query/shape_data.hpp"

#include <cmath>
#include <cstdio>
#include <deque>
#include <numeric>

namespace snug::bench::raabe {

namespace {

namespace chip = detail::chip;
using Rows = std::vector<std::vector<std::string>>;

constexpr double k_chip_hz = 1e8;
/// A beat in every clock.
constexpr double k_chip_bytes_per_s = 16 * k_chip_hz;

std::vector<pairs::PosePair> chip_poses(const Scene& scene, std::size_t count) {
  std::vector<pairs::PosePair> poses;
  for (const double distance : {0.0, 0.3, 0.6, 0.9})
    for (const pairs::PosePair& pose : random_poses(scene, distance, count, 41)) poses.push_back(pose);
  return poses;
}

/// Two equal bodies, a list of poses, and what a chip takes for them in the mean.
class ChipBench {
 public:
  ChipBench(const Scene& scene, std::vector<pairs::PosePair> poses)
      : mesh_(scene.mesh), tree_(detail::build_dop_tree(mesh_)), poses_(std::move(poses)) {}

  struct Means {
    double clocks = 0, dop_tests = 0, axis_tests = 0, triangle_tests = 0, bursts = 0, hits = 0, waits_memory = 0,
           waits_result = 0, most_waiting = 0;
    [[nodiscard]] double us() const noexcept { return 1e6 * clocks / k_chip_hz; }
  };
  /// Several chips on one memory, each with poses of its own, and what all of them take: clocks for each query.
  [[nodiscard]] double clocks_side_by_side(const chip::ChipSearch& search, unsigned chips) const;

  /// `steady`: memory that always answers after so many clocks, as the papers count; 0: DDR.
  [[nodiscard]] Means means(const chip::ChipSearch& search, unsigned steady = 0) const {
    Means sum;
    for (const pairs::PosePair& pose : poses_) {
      const chip::Counters c = run(pose, search, steady);
      sum.clocks += static_cast<double>(c.clocks), sum.dop_tests += static_cast<double>(c.dop_tests);
      sum.axis_tests += static_cast<double>(c.axis_tests), sum.hits += static_cast<double>(c.hits);
      sum.triangle_tests += static_cast<double>(c.triangle_tests), sum.bursts += static_cast<double>(c.bursts);
      sum.waits_memory += static_cast<double>(c.waits_memory);
      sum.waits_result += static_cast<double>(c.waits_result);
      sum.most_waiting = std::max(sum.most_waiting, static_cast<double>(c.most_waiting));
    }
    const auto n = static_cast<double>(poses_.size());
    for (double* value : {&sum.clocks, &sum.dop_tests, &sum.axis_tests, &sum.hits, &sum.triangle_tests, &sum.bursts,
                          &sum.waits_memory, &sum.waits_result})
      *value /= n;
    return sum;
  }

 private:
  [[nodiscard]] chip::Counters run(const pairs::PosePair& pose, const chip::ChipSearch& search, unsigned steady) const {
    const detail::DopPair bodies{mesh_, tree_, pose.a, mesh_, tree_, pose.b, detail::kernels_for(Instructions::best)};
    chip::Image image = chip::make_image(bodies, search.configuration, search.axes);
    // Wider than what the triangle unit is proved for; its time does not depend on its answers.
    if (search.configuration.width > detail::fixed::k_most_triangle_width) image.setup.placement.usable = false;
    chip::System system(search.configuration, search.structure);
    chip::DdrMemory ddr(image.words);
    chip::SteadyMemory even(image.words, std::max(steady, 1U));
    chip::Memory& memory = steady == 0 ? static_cast<chip::Memory&>(ddr) : even;
    const chip::ChipRun result = chip::run(system, image.setup, memory);
    if (result.overflow || result.error) std::fprintf(stderr, "the chip could not do it\n"), std::abort();
    return result.counters;
  }

  Mesh mesh_;
  detail::DopTree tree_;
  std::vector<pairs::PosePair> poses_;
};

/// Chips whose requests take turns; beats go back to whoever asked.
class SharedMemory {
 public:
  SharedMemory(chip::Memory& memory, std::size_t chips) : memory_(memory), chips_(chips) {}

  void clock(std::vector<chip::System>& systems) {
    const chip::Beat beat = memory_.beat();
    const std::size_t to = owners_.empty() ? chips_ : owners_.front().chip;
    if (beat.valid && --owners_.front().beats == 0) owners_.pop_front();
    std::size_t turn = chips_;
    chip::Request request;
    for (std::size_t i = 0; i < chips_ && turn == chips_; ++i)
      if (const std::size_t at = (first_ + i) % chips_; systems[at].outputs().request.valid)
        turn = at, request = systems[at].outputs().request;
    const bool accepted = turn < chips_ && memory_.ready();
    for (std::size_t i = 0; i < chips_; ++i)
      systems[i].clock({.request_ready = accepted && i == turn, .beat = i == to ? beat : chip::Beat{}});
    if (accepted) {
      owners_.push_back({turn, request.bursts * chip::k_burst_beats});
      first_ = turn + 1;
    }
    memory_.clock(accepted ? request : chip::Request{});
  }

 private:
  struct Owner {
    std::size_t chip;
    unsigned beats;
  };
  chip::Memory& memory_;
  std::size_t chips_, first_ = 0;
  std::deque<Owner> owners_;
};

double ChipBench::clocks_side_by_side(const chip::ChipSearch& search, unsigned chips) const {
  // Every body of every pose lies in memory of its own, as in an assembly.
  chip::Words words;
  std::deque<chip::Setup> waiting;
  for (const pairs::PosePair& pose : poses_) {
    const detail::DopPair bodies{mesh_, tree_, pose.a, mesh_, tree_, pose.b, detail::kernels_for(Instructions::best)};
    chip::Image image = chip::make_image(bodies, search.configuration, search.axes);
    const unsigned record = search.configuration.record_bursts() * chip::k_burst_words;
    words.resize((words.size() + record - 1) / record * record);
    const auto at = static_cast<std::uint32_t>(words.size() / chip::k_burst_words);
    for (std::uint32_t* address :
         {&image.setup.nodes_a, &image.setup.nodes_b, &image.setup.triangles_a, &image.setup.triangles_b})
      *address += at;
    words.insert(words.end(), image.words.begin(), image.words.end());
    waiting.push_back(std::move(image.setup));
  }
  chip::DdrMemory memory(words);
  SharedMemory shared(memory, chips);
  std::vector<chip::System> systems(chips, chip::System(search.configuration, search.structure));
  for (std::uint64_t clocks = 0;; ++clocks) {
    bool busy = false;
    for (chip::System& system : systems) {
      if (!system.outputs().busy && !waiting.empty()) {
        system.set(std::move(waiting.front()));
        waiting.pop_front();
        chip::Inputs start;
        start.start = true;
        system.clock(start);
      }
      busy = busy || system.outputs().busy;
    }
    if (!busy) return static_cast<double>(clocks) / static_cast<double>(poses_.size());
    shared.clock(systems);
  }
}

chip::ChipSearch search_of(unsigned width, unsigned axes, bool go_on) {
  return {
      chip::configuration_of_width(width), {.stack_depth = 1 << 20}, {.axes = axes, .most_axes = 64, .go_on = go_on}};
}

std::string whole(double x) { return std::to_string(static_cast<long long>(std::llround(x))); }

}  // namespace

void chip_widths(Run& run) {
  const ChipBench bench(headlight(), chip_poses(headlight(), run.either(6, 1)));
  Rows rows{{"W", "bursts of a record", "clocks", "us at 100 MHz", "pairs of nodes", "pairs of leaves"}};
  for (const unsigned width : {8U, 9U, 10U, 12U, 14U, 16U, 17U, 18U, 19U, 20U, 24U, 28U, 32U, 35U, 38U, 40U, 41U}) {
    const auto means = bench.means(search_of(width, 24, false));
    rows.push_back({std::to_string(width), std::to_string(chip::configuration_of_width(width).record_bursts()),
                    whole(means.clocks), short_number(means.us()), whole(means.dop_tests),
                    whole(means.triangle_tests)});
    run.count("chip-fig3", "chip", std::to_string(width), means.us());
  }
  run.table("DATE Fig. 3: time over the width of words, 24 axes", rows);
}

void chip_axes(Run& run) {
  const ChipBench bench(headlight(), chip_poses(headlight(), run.either(6, 1)));
  Rows rows{
      {"n", "w18 us", "w35 us", "w35, 20 clocks a pair", "w18 going on", "w35 going on", "w35, 20 clocks, going on"}};
  for (const unsigned axes : {2U, 4U, 6U, 8U, 10U, 12U, 14U, 16U, 18U, 20U, 22U, 24U, 28U, 32U, 40U, 48U}) {
    std::vector<std::string> row{std::to_string(axes)};
    for (const bool go_on : {false, true})
      for (const auto& [name, width, steady] : {std::tuple{"w18", 18U, 0U}, {"w35", 35U, 0U}, {"w35 even", 35U, 2U}}) {
        const double us = bench.means(search_of(width, axes, go_on), steady).us();
        row.push_back(short_number(us));
        run.count(go_on ? "chip-fig7" : "chip-fig6", go_on ? std::string(name) + " going on" : name,
                  std::to_string(axes), us);
        if (!go_on) run.count("chip-fig7", name, std::to_string(axes), us);
      }
    rows.push_back(std::move(row));
  }
  run.table("WSCG Figs. 6 and 7: microseconds over the number of axes, without and with testing on while loading",
            rows);
}

void chip_schedules(Run& run) {
  const ChipBench bench(headlight(), chip_poses(headlight(), run.either(6, 1)));
  Rows rows{{"control", "clocks", "entries at most", "bytes at most"}};
  for (const bool queue : {false, true}) {
    chip::ChipSearch search = search_of(18, 24, true);
    search.structure.queue = queue;
    const auto means = bench.means(search);
    rows.push_back(
        {queue ? "queue" : "stack", whole(means.clocks), whole(means.most_waiting), whole(17 * means.most_waiting)});
    run.count("chip-schedule", queue ? "queue" : "stack", "entries", means.most_waiting);
  }
  run.table("DATE 4.2: stack and queue, W = 18", rows);
}

namespace {

/// Clock of this processor by a chain of dependent additions, one a clock; bytes a second by reading what no cache holds.
struct Machine {
  double hz = 0, bytes_per_s = 0;

  Machine() {
    for (int round = 0; round < 5; ++round) {
      std::uint64_t x = 1;
      const double start = pairs::thread_cpu_us();
      constexpr int k_steps = 20'000'000;
      for (int i = 0; i < k_steps; ++i) {
        x += static_cast<std::uint64_t>(i);
        __asm__ volatile("" : "+r"(x));
      }
      hz = std::max(hz, k_steps / (1e-6 * (pairs::thread_cpu_us() - start)));
    }
    std::vector<std::uint64_t> large((std::size_t{256} << 20) / 8, 1);
    for (int round = 0; round < 3; ++round) {
      const double start = pairs::thread_cpu_us();
      volatile std::uint64_t sum = std::accumulate(large.begin(), large.end(), std::uint64_t{0});
      (void)sum;
      bytes_per_s =
          std::max(bytes_per_s, 8.0 * static_cast<double>(large.size()) / (1e-6 * (pairs::thread_cpu_us() - start)));
    }
  }
};

}  // namespace

void chip_software(Run& run) {
  const Machine machine;
  const Scene scene = headlight();
  const Shape shape(scene.mesh);
  (void)detail::Access::data(shape).dop_tree();
  QueryOptions fixed{.method = Method::dop_fixed};
  fixed.dop.axes = 24;
  Rows rows{{"distance / reach", "chip w18 us", "chip w35", "dop_fixed w18, 24 axes", "surface",
             "chip w35 over dop_fixed", "by clock", "by bandwidth"}};
  double log_clock = 0, log_bandwidth = 0, log_plain = 0;
  int counted = 0;
  for (const double distance : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2}) {
    const auto poses = random_poses(scene, distance, run.either(8, 2), 29);
    const ChipBench bench(scene, poses);
    const double w18 = bench.means(search_of(18, 24, true)).us(), w35 = bench.means(search_of(35, 24, true)).us();
    const auto timed = [&](const QueryOptions& options) {
      Scratch scratch;
      double sum = 0;
      for (const pairs::PosePair& pose : poses) {
        double least = 1e30;
        for (int round = 0; round < 5; ++round) {
          const double start = pairs::thread_cpu_us();
          (void)triangle_pairs(shape, pose.a, shape, pose.b, scratch, options);
          least = std::min(least, pairs::thread_cpu_us() - start);
        }
        sum += least;
      }
      return sum / static_cast<double>(poses.size());
    };
    const double software = timed(fixed), surface = timed({});
    char bucket[32];
    std::snprintf(bucket, sizeof bucket, "d=%.1f", distance);
    const double plain = software / w35, clock = plain * machine.hz / k_chip_hz;
    const double bandwidth = plain * machine.bytes_per_s / k_chip_bytes_per_s;
    log_plain += std::log(plain), log_clock += std::log(clock), log_bandwidth += std::log(bandwidth), ++counted;
    rows.push_back({bucket, short_number(w18), short_number(w35), short_number(software), short_number(surface),
                    short_number(plain), short_number(clock), short_number(bandwidth)});
    for (const auto& [name, us] :
         {std::pair{"chip w18", w18}, {"chip w35", w35}, {"dop_fixed, 24 axes", software}, {"surface", surface}}) {
      run.count("chip-fig8", name, bucket, us);
      run.results.rows.push_back({run.results.suite, scene.name, bucket, "all", name, 1, us, us, "", ""});
    }
  }
  run.table("WSCG Fig. 8: chip and software, microseconds; the right columns tell how many times as fast the chip is",
            rows);
  char line[300];
  std::snprintf(line, sizeof line,
                "This processor: %.2f GHz, %.1f GB/s read by one core. Chip over software, geometric means: %.2f; at "
                "the same clock "
                "%.1f; at the same bandwidth %.2f. The papers: 4, over a 1 GHz Pentium III with memory as fast as the "
                "chip's.\n\n",
                1e-9 * machine.hz, 1e-9 * machine.bytes_per_s, std::exp(log_plain / counted),
                std::exp(log_clock / counted), std::exp(log_bandwidth / counted));
  run.text += line;
}

void chip_rotations(Run& run) {
  const Scene scene = headlight();
  Rows rows{{"turned by", "chip w18 us", "chip w35 us", "pairs of nodes", "pairs of leaves", "candidates"}};
  for (const int degrees : {0, 15, 30, 60, 90, 120, 150, 180}) {
    const ChipBench bench(scene, turned_poses(scene, degrees, run.either(8, 2)));
    const auto narrow = bench.means(search_of(18, 24, true)), wide = bench.means(search_of(35, 24, true));
    rows.push_back({std::to_string(degrees), short_number(narrow.us()), short_number(wide.us()), whole(wide.dop_tests),
                    whole(wide.triangle_tests), whole(wide.hits)});
    run.count("chip-rotation", "chip w18", "r=" + std::to_string(degrees), narrow.us());
    run.count("chip-rotation", "chip w35", "r=" + std::to_string(degrees), wide.us());
  }
  run.table("Two headlights 0.4 of their reach apart, one turned against the other", rows);
}

void chip_variants(Run& run) {
  const ChipBench bench(headlight(), chip_poses(headlight(), run.either(6, 1)));
  // Slices of a Virtex-II, perfectly packed and not at all, of one pipe (docs/chip.md, by chip/synth). The rest of the chip is left out,
  // so that numbers compare pipes, not chips.
  struct Area {
    double least, most;
  };
  const auto pipe = [](unsigned width) { return width <= 18 ? Area{1661, 2386} : Area{3720, 6603}; };
  Rows rows{{"variant", "us", "speed-up", "pairs of nodes", "axes tried", "bursts", "no test: loading",
             "queries/s/slice of pipes"}};
  for (const unsigned width : {18U, 35U}) {
    double first = 0;
    const auto add = [&](const std::string& name, const chip::ChipSearch& search, double pipes) {
      const auto means = bench.means(search);
      if (first == 0) first = means.us();
      const Area area = pipe(width);
      const double rate = 1e6 / means.us();
      const std::string words = "w" + std::to_string(width) + ", " + name;
      rows.push_back({words, short_number(means.us()), short_number(first / means.us()), whole(means.dop_tests),
                      whole(means.axis_tests), whole(means.bursts),
                      short_number(100 * means.waits_memory / means.clocks) + " %",
                      short_number(rate / (pipes * area.most)) + " … " + short_number(rate / (pipes * area.least))});
      run.count("chip-variants", "w" + std::to_string(width), name, means.us());
    };
    add("as published", search_of(width, 24, false), 1);
    add("testing on", search_of(width, 24, true), 1);
    add("12 axes, testing on", search_of(width, 12, true), 1);
    for (const unsigned pipes : {2U, 3U, 4U, 8U, 24U}) {
      chip::ChipSearch search = search_of(width, 24, true);
      search.structure.pipes = pipes;
      add(std::to_string(pipes) + " pipes", search, pipes);
      if (pipes <= 4)
        run.count("chip-pipes", "w" + std::to_string(width), std::to_string(pipes), bench.means(search).us());
    }
    for (const unsigned records : {1U, 16U, 64U, 256U}) {
      chip::ChipSearch search = search_of(width, 24, true);
      search.structure.cached_records = records;
      add("cache of 2 x " + std::to_string(records) + " records", search, 1);
    }
    chip::ChipSearch both = search_of(width, 24, true);
    both.structure.cached_records = 256, both.structure.pipes = 4;
    add("4 pipes and cache of 2 x 256", both, 4);
    chip::ChipSearch leaves = search_of(width, 16, true);
    leaves.structure.axes_of_leaves = 40;
    add("16 axes, 40 on leaves", leaves, 1);
    chip::ChipSearch quick = search_of(width, 24, true);
    quick.structure.triangle_clocks = 8;
    add("triangle unit in 8 clocks", quick, 1);
  }
  run.table("Beyond: variants in the cycle model", rows);

  Rows shared{{"chips on one memory", "w18: us a query", "speed-up", "w35: us a query", "speed-up"}};
  double first[2] = {0, 0};
  for (const unsigned chips : {1U, 2U, 3U, 4U, 6U, 8U}) {
    std::vector<std::string> row{std::to_string(chips)};
    for (const unsigned width : {18U, 35U}) {
      const double us = 1e6 * bench.clocks_side_by_side(search_of(width, 24, true), chips) / k_chip_hz;
      double& one = first[width == 18 ? 0 : 1];
      if (chips == 1) one = us;
      row.push_back(short_number(us));
      row.push_back(short_number(one / us));
      run.count("chip-chips", "w" + std::to_string(width), std::to_string(chips), us);
    }
    shared.push_back(std::move(row));
  }
  run.table("Whole chips side by side, each with queries of its own", shared);
}

}  // namespace snug::bench::raabe
