#include "bench/devices/cost.hpp"
#include "bench/devices/parts.hpp"
#include "bench/devices/step_rays.hpp"

#include "contact/pair_blocks.hpp"
#include "shape/trees.hpp"

#include <bit>
#include <cstdio>
#include <iostream>

namespace snug::bench::devices {

namespace {

using lehericey::Frame;
using lehericey::Stage;
using query::DeviceRaysTold;
using query::DeviceRayTold;

/// FNV-1a over answers: devices that agree have the same.
class Hash {
 public:
  void add(std::uint64_t number) noexcept { value_ = (value_ ^ number) * 0x100000001b3ULL; }
  void add(double number) noexcept { add(std::bit_cast<std::uint64_t>(number)); }
  void add(const Vec3& v) noexcept { add(v.x), add(v.y), add(v.z); }
  /// All that was told of rays.
  void add(const DeviceRaysTold& all) noexcept {
    add(std::uint64_t{all.told.size()});
    for (const DeviceRayTold& t : all.told) {
      add(std::uint64_t{t.side} << 32 | t.ray);
      for (const std::uint32_t triangle : t.triangle) add(std::uint64_t{triangle});
      const query::DeviceProjected& p = t.projected;
      add(static_cast<std::uint64_t>(p.tells));
      if (p.tells != query::DeviceProjected::Tells::contact && p.tells != query::DeviceProjected::Tells::prediction)
        continue;
      add(std::uint64_t{p.triangle}), add(p.t), add(p.depth), add(p.normal), add(p.there);
    }
    for (const DeviceRaysTold::Work& work : all.work) add(work.boxes), add(work.triangles);
  }
  void add(const std::vector<query::DopWalked>& all) noexcept {
    for (const query::DopWalked& walked : all) {
      add(walked.node_pairs), add(walked.axis_tests), add(std::uint64_t{walked.leaves.size()});
      for (const query::DopNodePair& leaf : walked.leaves) add(std::uint64_t{leaf.a} << 32 | leaf.b);
    }
  }
  [[nodiscard]] std::string text() const {
    char out[20];
    std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(value_));
    return out;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

using contact::PairWork;
using Trace = std::vector<std::vector<PairWork>>;

/// How much sooner `devices` are done than one, if each needs as long as the work it has; and at best, if pairs could be divided
/// anew at every step, none of them in two.
struct Balance {
  double speed_up = 1, ideal = 1;
  std::uint64_t moved = 0;
};
Balance simulate(const Trace& trace, std::size_t devices) {
  contact::PairBlocks blocks(devices);
  double all = 0, slowest = 0, best = 0;
  contact::PairCosts costs;
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
  void rays(device::OpenClSet& one, device::OpenClSet& two, double asked, bool walks) {
    const std::string kind = walks ? "walks" : "rays";
    Trace trace;
    contact::PairBlocks blocks(2);
    contact::PairCosts costs;
    double on_one = 0, on_two = 0, ideal_on_two = 0, processor = 0;
    Cost of_all_one, of_all_two;
    Curve curve{name_, kind, {}};
    std::uint64_t rays = 0, redone = 0, told = 0, told_by_two = 0, projected = 0;
    Hash of_one, of_two;
    for (std::size_t f = walks ? 1 : 0; f < frames_.size(); ++f) {
      StepRays step(*stage_, frames_[f], walks ? &frames_[f - 1] : nullptr);
      if (step.rays() == 0) continue;
      DeviceRaysTold told_one, told_two;
      bool done = true;
      const Cost single = cost_of(one, rounds_, [&] {
        done = one.cast({.sides = step.sides(), .owned = true, .project = true}, told_one) && done;
      });
      auto& costs_now = trace.emplace_back();
      for (const std::uint64_t key : step.keys()) costs_now.push_back({key, 0, 0, walks});
      for (std::size_t s = 0; s < step.sides().size(); ++s) {
        costs_now[s / 2].rays += static_cast<double>(step.asked()[s].size());
        costs_now[s / 2].work += contact::work_of(told_one.work[s]);
      }
      const auto dearest =
          static_cast<std::size_t>(std::ranges::max_element(costs_now, {}, &PairWork::work) - costs_now.begin());
      DeviceRaysTold told_alone;
      const Cost alone = cost_of(one, rounds_, [&] {
        const std::span<const query::DeviceRaySide> own = step.sides().subspan(2 * dearest, 2);
        done = one.cast({.sides = own, .owned = true, .project = true}, told_alone) && done;
      });
      const auto device_of = blocks.assign(costs.expect(costs_now));
      costs.remember(costs_now);
      for (std::size_t s = 0; s < step.sides().size(); ++s) step.sides()[s].owner = device_of[s / 2];
      const Cost both = cost_of(two, rounds_, [&] {
        done = two.cast({.sides = step.sides(), .owned = true, .project = true}, told_two) && done;
      });
      if (!done || both.devices < 2) continue;
      of_one.add(told_one), of_two.add(told_two);
      for (const DeviceRayTold& t : told_one.told) {
        redone += !walks && t.triangle[0] == DeviceRayTold::k_redo ? 1 : 0;
        projected += t.projected.tells != query::DeviceProjected::Tells::undecided ? 1 : 0;
      }
      told += told_one.told.size();
      told_by_two += told_two.told.size();
      on_one += single.slowest, on_two += both.slowest;
      // No pair is divided: two devices take no less than half of it all, and no less than the dearest pair by itself.
      ideal_on_two += std::max(single.slowest / 2, alone.slowest);
      single.add_to(of_all_one), both.add_to(of_all_two);
      processor += step.processor_seconds(), rays += step.rays();
      curve.points.push_back(
          {f, step.rays(), 1e6 * step.processor_seconds(), 1e6 * single.slowest, 1e6 * both.slowest});
    }
    const double steps = static_cast<double>(std::max<std::size_t>(trace.size(), 1));
    add(kind + " kernel", "1 device", on_one / steps, told, of_one.text());
    add(kind + " kernel", "2 devices", on_two / steps, told_by_two, of_two.text());
    judge_answers(kind, told, of_one, told_by_two, of_two);
    add_parts(kind, "1 device", of_all_one, steps, rays);
    add_parts(kind, "2 devices", of_all_two, steps, rays);
    add(kind + " processor", "cpu", processor / steps, rays);
    curves_.push_back(std::move(curve));
    const Balance pair = simulate(trace, 2);
    const double measured = on_two > 0 ? on_one / on_two : 0, ideal = ideal_on_two > 0 ? on_one / ideal_on_two : 1;
    const auto said = [](double x) { return short_number(x) + "x"; };
    const auto share = [&](std::uint64_t part) {
      return percent(static_cast<double>(part), static_cast<double>(rays));
    };
    remark(kind + ": " + std::to_string(rays) + ", of which " + share(told) + " came back" +
           (walks ? "" : ", " + share(redone) + " since floats could not tell") +
           "; decided and projected there: " + percent(static_cast<double>(projected), static_cast<double>(told)) +
           " of those; bytes moved a step: " + std::to_string(of_all_one.bytes / static_cast<std::uint64_t>(steps)));
    remark(kind + " on two devices: " + said(measured) + " by kernel times, where an ideal division has " +
           said(ideal) + "; " + said(pair.speed_up) + " by the work they had, ideally " + said(pair.ideal) +
           "; pairs moved: " + std::to_string(blocks.moved()));
    for (const std::size_t devices : {4U, 8U, 16U}) {
      const Balance more = simulate(trace, devices);
      remark(kind + ", simulated from the recorded work, " + std::to_string(devices) + " devices: " +
             said(more.speed_up) + ", ideally " + said(more.ideal) + "; pairs moved: " + std::to_string(more.moved));
    }
    const auto state = [](bool met) { return met ? Bar::State::met : Bar::State::missed; };
    // What is beaten by more than clocks are off is no ideal to judge by.
    constexpr double k_noise = 1.02;
    const bool judged = measured >= asked || measured <= k_noise * ideal;
    results_.bars.push_back({std::string(name_) + ", " + kind + ": kernel time on two devices beside one",
                             "at least " + short_number(asked) + "x, or 90 % of ideal",
                             said(measured) + ", " + percent(measured, ideal) + " of ideal" +
                                 (judged ? "" : ": times too uncertain to judge"),
                             judged ? state(measured >= asked || measured >= 0.9 * ideal) : Bar::State::not_measured});
    results_.bars.push_back({std::string(name_) + ", " + kind + ": work of two devices beside one", "90 % of ideal",
                             percent(pair.speed_up, pair.ideal), state(pair.speed_up >= 0.9 * pair.ideal)});
    if (!walks)
      results_.bars.push_back({std::string(name_) + ": rays cast again by the processor", "below 1 %", share(redone),
                               state(100 * redone < rays)});
  }

  void dops(device::OpenClSet& one, device::OpenClSet& two) {
    double on_one = 0, on_two = 0, processor = 0;
    Cost of_all_one, of_all_two;
    std::uint64_t leaves = 0, leaves_by_two = 0;
    std::size_t steps = 0;
    Hash of_one, of_two;
    Curve curve{name_, "dop_fixed", {}};
    for (std::size_t f = 0; f < frames_.size(); f += 4) {
      std::vector<query::DopPair> pairs;
      const auto tree = [&](const Shape& shape) -> const bvh::DopTree& {
        return detail::Access::data(shape).get<bvh::DopTree>();
      };
      for (const auto& [a, b] : frames_[f].pairs) {
        const Shape &shape_a = stage_->shape(a), &shape_b = stage_->shape(b);
        pairs.push_back({shape_a.mesh(), tree(shape_a), frames_[f].poses[a], shape_b.mesh(), tree(shape_b),
                         frames_[f].poses[b], query::kernels_for(Instructions::best), &shape_a, &shape_b});
      }
      if (pairs.empty()) continue;
      ++steps;
      std::vector<query::DopWalked> walked, walked_by_two;
      const DopSearch search;
      bool done = true;
      const Cost single = cost_of(one, rounds_, [&] { done = one.walk(pairs, search, walked) && done; });
      const Cost both = cost_of(two, rounds_, [&] { done = two.walk(pairs, search, walked_by_two) && done; });
      if (!done) continue;
      on_one += single.slowest, on_two += both.slowest;
      single.add_to(of_all_one), both.add_to(of_all_two);
      for (const auto& some : walked) leaves += some.leaves.size();
      for (const auto& some : walked_by_two) leaves_by_two += some.leaves.size();
      of_one.add(walked), of_two.add(walked_by_two);
      struct Nobody final : query::DopTaker {
        bool take(std::uint32_t, std::uint32_t) override { return true; }
      } nobody;
      query::DopMemory memory;
      const double start = own_seconds();
      for (const query::DopPair& pair : pairs) query::dop_walk(pair, {search, true}, memory, nobody, nullptr);
      const double here = own_seconds() - start;
      processor += here;
      curve.points.push_back({f, pairs.size(), 1e6 * here, 1e6 * single.slowest, 1e6 * both.slowest});
    }
    const auto count = static_cast<double>(std::max<std::size_t>(steps, 1));
    add("dop_fixed kernel", "1 device", on_one / count, leaves, of_one.text());
    add("dop_fixed kernel", "2 devices", on_two / count, leaves_by_two, of_two.text());
    judge_answers("dop_fixed", leaves, of_one, leaves_by_two, of_two);
    add_parts("dop_fixed", "1 device", of_all_one, count, leaves);
    add_parts("dop_fixed", "2 devices", of_all_two, count, leaves);
    add("dop_fixed processor", "cpu", processor / count, leaves);
    remark("dop_fixed: trees stay where they are; transfers a step: " +
           std::to_string(of_all_one.transfers / std::max<std::size_t>(steps, 1)) +
           ", bytes: " + std::to_string(of_all_one.bytes / std::max<std::size_t>(steps, 1)) +
           "; on two devices: " + short_number(on_two > 0 ? on_one / on_two : 0) + "x by kernel times");
    curves_.push_back(std::move(curve));
  }
  /// Of all that was measured.
  [[nodiscard]] const std::vector<Curve>& curves() const noexcept { return curves_; }

 private:
  void judge_answers(const std::string& kind, std::uint64_t one, const Hash& of_one, std::uint64_t two,
                     const Hash& of_two) {
    const bool same = one == two && of_one.text() == of_two.text(), none = same && one == 0;
    results_.bars.push_back({std::string(name_) + ", " + kind + ": answers of one device and of two", "the same",
                             std::to_string(one) + " and " + std::to_string(two) +
                                 (none   ? ": nothing to compare"
                                  : same ? ", all the same"
                                         : ", not the same"),
                             none   ? Bar::State::not_measured
                             : same ? Bar::State::met
                                    : Bar::State::missed});
  }
  /// Each kernel by itself, and transfers.
  void add_parts(const std::string& kind, const char* engine, const Cost& cost, double steps, std::uint64_t answers) {
    for (const auto& [name, seconds] : cost.single)
      if (seconds > 0) add(kind + ' ' + name, engine, seconds / steps, answers);
    add(kind + " transfer", engine, cost.transfer / steps, answers);
  }
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
  std::vector<Curve> curves_;
  int rounds_ = 3;
};

}  // namespace

bool measure(const Options& options, Results& results, std::vector<Curve>& curves) {
  auto cl = device::OpenCl::load(device::opencl_library());
  if (!cl) {
    std::cerr << "devices: " << cl.error() << '\n';
    return false;
  }
  // Of the first set one piece is used, so that one is compared with two of the same.
  device::OpenClSet one(*cl, {.pieces = 2}, {}), two(*cl, {.pieces = 2}, {});
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
    curves.insert(curves.end(), scene.curves().begin(), scene.curves().end());
  }
  for (const std::string& warning : two.warnings()) results.remarks.push_back(warning);
  return true;
}

}  // namespace snug::bench::devices
