#include "bench/raabe/chip_bench.hpp"

#include "bench/pairs/answers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>

namespace snug::bench::raabe {

namespace {

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

}  // namespace

std::vector<pairs::PosePair> chip_poses(const Scene& scene, std::size_t count) {
  std::vector<pairs::PosePair> poses;
  for (const double distance : {0.0, 0.3, 0.6, 0.9})
    for (const pairs::PosePair& pose : random_poses(scene, distance, count, 41)) poses.push_back(pose);
  return poses;
}

ChipBench::Means ChipBench::means(const chip::ChipSearch& search, unsigned steady) const {
  Means sum;
  pairs::Hash hash;
  std::vector<double> clocks;
  for (std::size_t i = 0; i < poses_.size(); ++i) {
    const chip::ChipRun result = run(poses_[i], search, steady);
    const chip::Counters& c = result.counters;
    const auto hits = search.structure.quadrangles ? chip::triangles_of(result.hits, quads_, quads_) : result.hits;
    const auto found = chip::confirmed(hits, shape_.mesh(), poses_[i].a, shape_.mesh(), poses_[i].b);
    sum.right = sum.right && found == meeting(i);
    sum.met += found.size();
    for (const TrianglePair& pair : found) hash.add(std::uint64_t{pair.a} << 32 | pair.b);
    clocks.push_back(static_cast<double>(c.clocks));
    sum.clocks += static_cast<double>(c.clocks), sum.dop_tests += static_cast<double>(c.dop_tests);
    sum.axis_tests += static_cast<double>(c.axis_tests), sum.hits += static_cast<double>(c.hits);
    sum.triangle_tests += static_cast<double>(c.triangle_tests), sum.bursts += static_cast<double>(c.bursts);
    sum.waits_memory += static_cast<double>(c.waits_memory);
    sum.waits_result += static_cast<double>(c.waits_result);
    sum.most_waiting = std::max(sum.most_waiting, static_cast<double>(c.most_waiting));
  }
  sum.hash = hash.value();
  sum.candidates = sum.hits / static_cast<double>(std::max<std::uint64_t>(sum.met, 1));
  std::ranges::sort(clocks);
  const auto us_at = [&](std::size_t rank) { return 1e6 / k_chip_hz * clocks[rank]; };
  sum.p99_us = us_at(clocks.size() * 99 / 100), sum.least_us = us_at(0), sum.most_us = us_at(clocks.size() - 1);
  const auto n = static_cast<double>(poses_.size());
  for (double* value : {&sum.clocks, &sum.dop_tests, &sum.axis_tests, &sum.hits, &sum.triangle_tests, &sum.bursts,
                        &sum.waits_memory, &sum.waits_result})
    *value /= n;
  return sum;
}

chip::Image ChipBench::image(const pairs::PosePair& pose, const chip::ChipSearch& search) const {
  const bool quads = search.structure.quadrangles;
  const bvh::DopTree& tree = quads ? quads_.tree : tree_;
  const query::DopPair bodies{
      shape_.mesh(), tree, pose.a, shape_.mesh(), tree, pose.b, query::kernels_for(Instructions::best)};
  const bvh::QuadTree* const leaves = quads ? &quads_ : nullptr;
  return chip::make_image(bodies, search.configuration, search.axes,
                          {.relative_bits = search.structure.relative_bits, .quads_a = leaves, .quads_b = leaves});
}

chip::ChipRun ChipBench::run(const pairs::PosePair& pose, const chip::ChipSearch& search, unsigned steady) const {
  chip::Image prepared = image(pose, search);
  // Wider than what the triangle unit is proved for; its time does not depend on its answers.
  if (search.configuration.width > query::fixed::k_most_triangle_width) prepared.setup.placement.usable = false;
  chip::System system(search.configuration, search.structure);
  chip::DdrMemory ddr(prepared.words);
  chip::SteadyMemory even(prepared.words, std::max(steady, 1U));
  chip::Memory& memory = steady == 0 ? static_cast<chip::Memory&>(ddr) : even;
  chip::ChipRun result = chip::run(system, prepared.setup, memory);
  if (result.overflow || result.error) std::fprintf(stderr, "the chip could not do it\n"), std::abort();
  return result;
}

const std::vector<TrianglePair>& ChipBench::meeting(std::size_t pose) const {
  if (meeting_.empty()) {
    Scratch scratch;
    for (const pairs::PosePair& at : poses_) meeting_.push_back(triangle_pairs(shape_, at.a, shape_, at.b, scratch));
  }
  return meeting_[pose];
}

ChipVariant measured(Run& run, const ChipBench& bench, const std::string& figure, std::string name,
                     const chip::ChipSearch& search) {
  const std::string words = "w" + std::to_string(search.configuration.width);
  ChipVariant variant{std::move(name), search, bench.means(search)};
  const ChipBench::Means& means = variant.means;
  char hash[24];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(means.hash));
  run.results.rows.push_back({run.results.suite, "headlight", figure, "all", "chip " + words + ", " + variant.name, 1,
                              means.us(), means.p99_us, std::to_string(means.met), hash});
  if (!means.right)
    run.results.remarks.push_back(figure + ": chip " + words + ", " + variant.name + " differs from method surface");
  run.count(figure, words, variant.name, means.us());
  return variant;
}

double ChipBench::clocks_side_by_side(const chip::ChipSearch& search, unsigned chips) const {
  // Every body of every pose lies in memory of its own, as in an assembly.
  chip::Words words;
  std::deque<chip::Setup> waiting;
  for (const pairs::PosePair& pose : poses_) {
    chip::Image image = this->image(pose, search);
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

}  // namespace snug::bench::raabe
