#include "bench/devices/parts.hpp"
#include "bench/lehericey/recording.hpp"
#include "bench/measure.hpp"

#include "device/opencl_set.hpp"
#include "device/pair_blocks.hpp"
#include "query/ray/device_rays.hpp"
#include "query/shape_data.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <deque>
#include <iostream>
#include <limits>

namespace snug::bench::devices {

namespace {

using detail::AskedRays;
using detail::DeviceRaySide;
using detail::DeviceRaysTold;
using detail::DeviceRayTold;
using detail::VertexRays;
using lehericey::Frame;
using lehericey::PartPair;
using lehericey::Stage;

double own_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// FNV-1a over answers: devices that agree have the same.
class Hash {
 public:
  void add(std::uint64_t number) noexcept { value_ = (value_ ^ number) * 0x100000001b3ULL; }
  [[nodiscard]] std::string text() const {
    char out[20];
    std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(value_));
    return out;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

/// All rays of a step, from the vertices of both bodies of each pair, as devices are given them: standard ones, or walks from
/// what standard ones met at the step before.
class StepRays {
 public:
  StepRays(const Stage& stage, const Frame& frame, const Frame* before) : stage_(stage) {
    asked_.reserve(2 * frame.pairs.size());
    for (const auto& [a, b] : frame.pairs) {
      keys_.push_back(std::uint64_t{a} << 32 | b);
      for (const bool of_a : {true, false}) {
        const VertexRays& rays = made(frame, of_a ? a : b, of_a ? b : a, of_a);
        if (before == nullptr)
          asked_.push_back(AskedRays::standard(rays, 0, -1));
        else
          asked_.push_back(walks(rays, made(*before, of_a ? a : b, of_a ? b : a, of_a)));
        sides_.push_back(asked_.back().side());
        rays_ += asked_.back().size();
        const double start = own_seconds();
        on_processor(rays);
        processor_seconds_ += own_seconds() - start;
      }
    }
  }
  [[nodiscard]] std::span<DeviceRaySide> sides() noexcept { return sides_; }
  [[nodiscard]] const std::vector<AskedRays>& asked() const noexcept { return asked_; }
  [[nodiscard]] std::size_t rays() const noexcept { return rays_; }
  [[nodiscard]] const std::vector<std::uint64_t>& keys() const noexcept { return keys_; }  ///< by pair
  /// What the same rays take there.
  [[nodiscard]] double processor_seconds() const noexcept { return processor_seconds_; }

 private:
  const VertexRays& made(const Frame& frame, std::uint32_t from, std::uint32_t to, bool of_a) {
    const detail::RayTarget& target =
        targets_.emplace_back(stage_.shape(to), frame.poses[to], options_.traversal, options_.instructions);
    return made_.emplace_back(stage_.shape(from), frame.poses[from], target, of_a, options_);
  }
  AskedRays walks(const VertexRays& rays, const VertexRays& before) {
    AskedRays asked = AskedRays::walks(rays, -1, k_most_walked);
    ContactStats unwanted;
    before.list(0, -1, starts_);
    walks_.clear();
    for (const detail::RayStart& start : starts_)
      if (const auto told = before.cast(start, -1, unwanted)) {
        asked.add(start.vertex, told->hit.triangle);
        walks_.emplace_back(start.vertex, told->hit.triangle);
      }
    return asked;
  }
  void on_processor(const VertexRays& rays) {
    ContactStats unwanted;
    if (asked_.back().side().most > 0) {
      for (const auto& [vertex, triangle] : walks_) keep(rays.follow(vertex, triangle, -1, k_most_walked, unwanted));
      return;
    }
    rays.list(0, -1, starts_);
    for (const detail::RayStart& one : starts_) keep(rays.cast(one, -1, unwanted));
  }

  static constexpr unsigned k_most_walked = 16;
  const Stage& stage_;
  RayContactOptions options_{.rays = RayContactOptions::Rays::standard};
  std::deque<detail::RayTarget> targets_;
  std::deque<VertexRays> made_;
  std::vector<AskedRays> asked_;
  std::vector<DeviceRaySide> sides_;
  std::vector<std::uint64_t> keys_;
  std::vector<detail::RayStart> starts_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> walks_;
  std::size_t rays_ = 0;
  double processor_seconds_ = 0;
};

/// What a step cost each device, by its clock, the least of several rounds; and what was moved.
struct Cost {
  std::vector<double> kernel;
  double transfer = 0;
  std::uint64_t bytes = 0;
};

double kernel_seconds(const detail::Worker::Times& times) {
  double sum = 0;
  for (const auto& [name, seconds] : times.kernels) sum += seconds;
  return sum;
}

template <class Work>
Cost cost_of(const detail::OpenClSet& set, int rounds, Work&& work) {
  Cost cost{std::vector<double>(set.times().size(), std::numeric_limits<double>::infinity()), 0, 0};
  for (int round = 0; round < rounds; ++round) {
    const auto before = set.times();
    work();
    const auto after = set.times();
    if (after.size() != before.size()) continue;
    cost.transfer = 0, cost.bytes = 0;
    for (std::size_t d = 0; d < after.size(); ++d) {
      cost.kernel[d] = std::min(cost.kernel[d], kernel_seconds(after[d]) - kernel_seconds(before[d]));
      cost.transfer += after[d].to_device + after[d].to_host - before[d].to_device - before[d].to_host;
      cost.bytes +=
          after[d].bytes_to_device + after[d].bytes_to_host - before[d].bytes_to_device - before[d].bytes_to_host;
    }
  }
  return cost;
}

using detail::PairWork;
using Trace = std::vector<std::vector<PairWork>>;

/// How much sooner `devices` are done than one, if each needs as long as the work it has; and at best, if pairs could be divided
/// anew at every step, none of them in two.
struct Balance {
  double speed_up = 1, ideal = 1;
  std::uint64_t moved = 0;
};
Balance simulate(const Trace& trace, std::size_t devices) {
  detail::PairBlocks blocks(devices);
  double all = 0, slowest = 0, best = 0;
  detail::PairCosts costs;
  for (const auto& step : trace) {
    double sum = 0, dearest = 0;
    for (const PairWork& pair : step) sum += pair.work, dearest = std::max(dearest, pair.work);
    const auto device_of = blocks.assign(costs.expect(step));
    costs.remember(step);
    std::vector<double> load(devices);
    for (std::size_t i = 0; i < step.size(); ++i) load[device_of[i]] += step[i].work;
    all += sum;
    slowest += *std::ranges::max_element(load);
    best += std::max(sum / static_cast<double>(devices), dearest);
  }
  return {slowest > 0 ? all / slowest : 1, best > 0 ? all / best : 1, blocks.moved()};
}

std::string percent(double part, double whole) { return fixed(whole > 0 ? 100 * part / whole : 0, 2) + " %"; }

class Scene {
 public:
  Scene(const char* name, const Options& options, Results& results) : name_(name), results_(results) {
    const std::uint32_t bodies = options.bodies > 0 ? options.bodies : options.quick ? 16 : 64;
    const std::uint32_t looked_at = options.steps > 0 ? options.steps : options.quick ? 12 : 60;
    const headless::WorldScene scene = lehericey::cut_down(name, bodies);
    stage_.emplace(scene);
    // Long enough that bodies lie on each other; those of the fountain fall for 94 steps.
    const std::uint32_t before = (std::string_view(name) == "fountain" ? 94 : 0) + (options.quick ? 60 : 180);
    std::deque<Frame> last;
    lehericey::watch(scene, {}, before + looked_at, *stage_, [&](const headless::World&, const Frame& frame) {
      last.push_back(frame);
      if (last.size() > looked_at) last.pop_front();
    });
    frames_.assign(last.begin(), last.end());
    rounds_ = options.quick ? 3 : 9;
  }

  /// Standard rays, or walks; `asked` is the speed-up that the paper has.
  void rays(detail::OpenClSet& one, detail::OpenClSet& two, double asked, bool walks) {
    const std::string kind = walks ? "walks" : "rays";
    Trace trace;
    detail::PairBlocks blocks(2);
    detail::PairCosts costs;
    double on_one = 0, on_two = 0, processor = 0, transfer_one = 0, transfer_two = 0;
    std::uint64_t rays = 0, redone = 0, told = 0, bytes = 0, agree = 0;
    Hash of_one, of_two;
    for (std::size_t f = walks ? 1 : 0; f < frames_.size(); ++f) {
      StepRays step(*stage_, frames_[f], walks ? &frames_[f - 1] : nullptr);
      if (step.rays() == 0) continue;
      DeviceRaysTold told_one, told_two;
      bool done = true;
      const Cost single =
          cost_of(one, rounds_, [&] { done = one.cast({.sides = step.sides(), .owned = true}, told_one) && done; });
      auto& costs_now = trace.emplace_back();
      for (const std::uint64_t key : step.keys()) costs_now.push_back({key, 0, 0});
      for (std::size_t s = 0; s < step.sides().size(); ++s) {
        const DeviceRaysTold::Work& work = told_one.work[s];
        costs_now[s / 2].rays += static_cast<double>(step.asked()[s].size());
        costs_now[s / 2].work += static_cast<double>(work.boxes) + 2 * static_cast<double>(work.triangles) +
                                 (walks ? 2 * static_cast<double>(step.asked()[s].size()) : 0);
      }
      const auto device_of = blocks.assign(costs.expect(costs_now));
      costs.remember(costs_now);
      for (std::size_t s = 0; s < step.sides().size(); ++s) step.sides()[s].owner = device_of[s / 2];
      const Cost both =
          cost_of(two, rounds_, [&] { done = two.cast({.sides = step.sides(), .owned = true}, told_two) && done; });
      if (!done || both.kernel.size() < 2) continue;
      for (const auto& [all, hash] : {std::pair{&told_one, &of_one}, std::pair{&told_two, &of_two}})
        for (const DeviceRayTold& t : all->told) {
          hash->add(std::uint64_t{t.side} << 32 | t.ray);
          for (const std::uint32_t triangle : t.triangle) hash->add(triangle);
        }
      for (const DeviceRayTold& t : told_one.told) redone += !walks && t.triangle[0] == DeviceRayTold::k_redo ? 1 : 0;
      told += told_one.told.size();
      agree += told_one.told.size() == told_two.told.size() ? step.rays() : 0;
      on_one += single.kernel[0], on_two += std::max(both.kernel[0], both.kernel[1]);
      transfer_one += single.transfer, transfer_two += both.transfer, bytes += single.bytes;
      processor += step.processor_seconds(), rays += step.rays();
    }
    const double steps = static_cast<double>(std::max<std::size_t>(trace.size(), 1));
    add(kind + " kernel", "1 device", on_one / steps, rays, of_one.text());
    add(kind + " kernel", "2 devices", on_two / steps, agree, of_two.text());
    add(kind + " transfer", "1 device", transfer_one / steps, rays);
    add(kind + " transfer", "2 devices", transfer_two / steps, rays);
    add(kind + " processor", "cpu", processor / steps, rays);
    const Balance pair = simulate(trace, 2);
    const double measured = on_two > 0 ? on_one / on_two : 0;
    const auto said = [](double x) { return short_number(x) + "x"; };
    const auto share = [&](std::uint64_t part) {
      return percent(static_cast<double>(part), static_cast<double>(rays));
    };
    remark(kind + ": " + std::to_string(rays) + ", of which " + share(told) + " came back" +
           (walks ? "" : ", " + share(redone) + " since floats could not tell") +
           "; bytes moved a step: " + std::to_string(bytes / static_cast<std::uint64_t>(steps)));
    remark(kind + " on two devices: " + said(measured) + " by kernel times, " + said(pair.speed_up) +
           " by the work they had, " + said(pair.ideal) +
           " if it were divided ideally; pairs moved: " + std::to_string(blocks.moved()));
    for (const std::size_t devices : {4U, 8U, 16U}) {
      const Balance more = simulate(trace, devices);
      remark(kind + ", simulated from the recorded work, " + std::to_string(devices) + " devices: " +
             said(more.speed_up) + ", ideally " + said(more.ideal) + "; pairs moved: " + std::to_string(more.moved));
    }
    const auto state = [](bool met) { return met ? Bar::State::met : Bar::State::missed; };
    results_.bars.push_back({std::string(name_) + ", " + kind + ": kernel time on two devices beside one",
                             "at least " + short_number(asked) + "x, or 90 % of ideal",
                             said(measured) + ", " + percent(measured, pair.ideal) + " of ideal",
                             state(measured >= asked || measured >= 0.9 * pair.ideal)});
    results_.bars.push_back({std::string(name_) + ", " + kind + ": work of two devices beside one", "90 % of ideal",
                             percent(pair.speed_up, pair.ideal), state(pair.speed_up >= 0.9 * pair.ideal)});
    if (!walks)
      results_.bars.push_back({std::string(name_) + ": rays cast again by the processor", "below 1 %", share(redone),
                               state(100 * redone < rays)});
  }

  void dops(detail::OpenClSet& one, detail::OpenClSet& two) {
    double on_one = 0, on_two = 0, processor = 0;
    std::uint64_t leaves = 0;
    Hash of_one, of_two;
    for (std::size_t f = 0; f < frames_.size(); f += 4) {
      std::vector<detail::DopPair> pairs;
      const auto tree = [&](std::uint32_t part) -> const detail::DopTree& {
        return detail::Access::data(stage_->shape(part)).dop_tree();
      };
      for (const auto& [a, b] : frames_[f].pairs)
        pairs.push_back({stage_->shape(a).mesh(), tree(a), frames_[f].poses[a], stage_->shape(b).mesh(), tree(b),
                         frames_[f].poses[b], detail::kernels_for(Instructions::best)});
      if (pairs.empty()) continue;
      std::vector<detail::DopWalked> walked, walked_by_two;
      const DopSearch search;
      bool done = true;
      on_one += cost_of(one, rounds_, [&] { done = one.walk(pairs, search, walked) && done; }).kernel[0];
      const Cost both = cost_of(two, rounds_, [&] { done = two.walk(pairs, search, walked_by_two) && done; });
      on_two += *std::ranges::max_element(both.kernel);
      for (const auto& some : walked) leaves += some.leaves.size();
      for (auto [all, hash] : {std::pair{&walked, &of_one}, std::pair{&walked_by_two, &of_two}})
        for (const auto& some : *all)
          for (const detail::DopNodePair& leaf : some.leaves) hash->add(std::uint64_t{leaf.a} << 32 | leaf.b);
      struct Nobody final : detail::DopTaker {
        bool take(std::uint32_t, std::uint32_t) override { return true; }
      } nobody;
      detail::DopMemory memory;
      const double start = own_seconds();
      for (const detail::DopPair& pair : pairs) detail::dop_walk(pair, {search, true}, memory, nobody, nullptr);
      processor += own_seconds() - start;
    }
    const auto steps = static_cast<double>((frames_.size() + 3) / 4);
    add("dop_fixed kernel", "1 device", on_one / steps, leaves, of_one.text());
    add("dop_fixed kernel", "2 devices", on_two / steps, leaves, of_two.text());
    add("dop_fixed processor", "cpu", processor / steps, leaves);
  }

 private:
  void add(const std::string& query, const char* engine, double seconds, std::uint64_t answers,
           const std::string& hash = "-") {
    results_.rows.push_back({.suite = "devices",
                             .scene = name_,
                             .bucket = "a step",
                             .query = query,
                             .engine = engine,
                             .mean_us = 1e6 * seconds,
                             .p99_us = 0,
                             .answers = std::to_string(answers),
                             .hash = hash});
  }
  void remark(const std::string& text) { results_.remarks.push_back(std::string(name_) + ": " + text); }

  const char* name_;
  Results& results_;
  std::optional<Stage> stage_;
  std::vector<Frame> frames_;
  int rounds_ = 3;
};

}  // namespace

bool measure(const Options& options, Results& results) {
  auto cl = detail::OpenCl::load(detail::opencl_library());
  if (!cl) {
    std::cerr << "devices: " << cl.error() << '\n';
    return false;
  }
  // Of the first set one piece is used, so that one is compared with two of the same.
  detail::OpenClSet one(*cl, {.pieces = 2}, {}), two(*cl, {.pieces = 2}, {});
  one.most_devices = 1, two.most_devices = 2;
  if (two.times().size() < 2) {
    std::cerr << "devices: this takes a device that can be divided in two; see 'snug devices --pieces 2'\n";
    return false;
  }
  results.remarks.push_back("each device: " + two.list()[0].name + ", " + std::to_string(two.list()[0].units) +
                            " unit; kernels are written for GPUs and have not been timed on one");
  for (const auto& [name, asked] : {std::pair{"avalanche", 1.77}, std::pair{"fountain", 1.66}}) {
    Scene scene(name, options, results);
    scene.rays(one, two, asked, false);
    scene.rays(one, two, asked, true);
    scene.dops(one, two);
  }
  for (const std::string& warning : two.warnings()) results.remarks.push_back(warning);
  return true;
}

}  // namespace snug::bench::devices
