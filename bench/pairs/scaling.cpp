// Two threads beside one, by the clock on the wall, and beside what a kernel that only spins gains in the same run: that is
// what the machine has to give.

#include "bench/pairs/assembly_motion.hpp"
#include "bench/pairs/clock.hpp"
#include "bench/pairs/context.hpp"
#include "bench/pairs/knot_poses.hpp"

#include "scenes/solids.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

namespace snug::bench::pairs {

namespace {

constexpr std::uint64_t k_spins = 4'000'000;

void spin() {
  std::uint64_t x = 88172645463325252ULL;
  for (std::uint64_t i = 0; i < k_spins; ++i) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  asm volatile("" : : "r"(x));
}

void on_two_threads(const std::function<void()>& work) {
  std::thread other(work);
  work();
  other.join();
}

double timed(const std::function<void()>& work) {
  const double start = wall_us();
  work();
  return wall_us() - start;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

/// What is done on one thread and on two; `round` may choose a pose.
struct Work {
  std::string scene, query;
  std::function<void(std::size_t round)> on_one, on_two;
};

void compare(Context& context, const Work& work, std::size_t rounds) {
  std::fprintf(stderr, "%s %s\n", work.scene.c_str(), work.query.c_str());
  Trial one, two, spin_one, spin_two;
  std::vector<double> ours, spun;
  for (std::size_t round = 0; round < rounds + 1; ++round) {
    double t[4];
    const auto measure = [&](int which) {
      switch (which) {
        case 0:
          t[0] = timed([&] { work.on_one(round); });
          break;
        case 1:
          t[1] = timed([&] { work.on_two(round); });
          break;
        case 2:
          t[2] = timed([] { spin(), spin(); });
          break;
        default:
          t[3] = timed([] { on_two_threads(spin); });
          break;
      }
    };
    for (int k = 0; k < 4; ++k) measure((k + static_cast<int>(round)) % 4);
    if (round == 0) continue;  // only to warm up
    one.us.push_back(t[0]), two.us.push_back(t[1]), spin_one.us.push_back(t[2]), spin_two.us.push_back(t[3]);
    ours.push_back(t[0] / t[1]), spun.push_back(t[2] / t[3]);
  }
  const auto row = [&](const char* engine, unsigned threads, const Trial& trial, double ratio) {
    context.add_row({.suite = "",
                     .scene = work.scene,
                     .bucket = "two threads",
                     .query = work.query,
                     .engine = engine,
                     .threads = threads,
                     .mean_us = trial.mean_us(),
                     .p99_us = trial.p99_us(),
                     .answers = short_number(ratio) + "x",
                     .hash = "-"});
  };
  row("snug", 1, one, 1), row("snug", 2, two, median(ours));
  row("spin", 1, spin_one, 1), row("spin", 2, spin_two, median(spun));
  context.figures[work.query + " gain"] = median(ours);
  context.figures[work.query + " of spin"] = median(ours) / median(spun);
}

void scale_all_pairs(Context& context) {
  const bool quick = context.options.quick;
  const char* name = quick ? "knot60k" : "knot600k";
  if (!context.options.wants_scene(name) || !context.options.wants_bucket("d=0.2")) return;
  const Mesh mesh = quick ? scenes::bumpy_knot(526, 57) : scenes::bumpy_knot(1667, 180);
  const std::size_t rounds = context.poses(15, 4);
  const std::vector<PosePair> poses = KnotPoses(Shape(mesh), context.options.seed).of(k_buckets[2], 9, rounds + 1);
  const auto one = make_ours(1), two = make_ours(2);
  TwoBodies on_one(*one, mesh, mesh, poses), on_two(*two, mesh, mesh, poses);
  const auto run = [](TwoBodies& bodies, std::size_t round) {
    bodies.prepare(round);
    bodies.run(Query::all);
  };
  compare(context,
          {name, "scaling-all", [&](std::size_t round) { run(on_one, round); },
           [&](std::size_t round) { run(on_two, round); }},
          rounds);
}

void scale_build(Context& context) {
  if (!context.options.wants_scene("knot60k") || !context.options.wants_bucket("build")) return;
  const auto one = make_ours(1), two = make_ours(2);
  if (!two->builds_in_parallel()) {
    context.remark("scaling-build: left out, since our build has no threads");
    return;
  }
  const Mesh mesh = scenes::bumpy_knot(526, 57);
  compare(context,
          {"knot60k", "scaling-build", [&](std::size_t) { (void)one->build(mesh); },
           [&](std::size_t) { (void)two->build(mesh); }},
          context.options.quick ? 4 : 15);
}

/// Steps of the motion are shared out; each thread has its own scratch, the shapes are common.
void scale_plant(Context& context) {
  if (!context.options.wants_scene("plant") || !context.options.wants_bucket("motion")) return;
  const scenes::Scene scene = scenes::find("plant")->make({});
  const MotionSteps steps = motion_steps(scene, context.options.quick ? 40 : scene.steps, 0);
  const auto engine = make_ours(1);
  const AssemblyBodies bodies(*engine, steps.parts);
  AssemblyMotion first(bodies, steps), second(bodies, steps);
  const auto work_off = [&](AssemblyMotion& motion, std::atomic<std::size_t>& next) {
    for (std::size_t step; (step = next++) < steps.steps.size();) motion.prepare(step), motion.run(Query::all);
  };
  const auto on_one = [&](std::size_t) {
    std::atomic<std::size_t> next{0};
    work_off(first, next);
  };
  const auto on_two = [&](std::size_t) {
    std::atomic<std::size_t> next{0};
    std::thread other([&] { work_off(second, next); });
    work_off(first, next);
    other.join();
  };
  compare(context, {"plant", "scaling-motion", on_one, on_two}, context.options.quick ? 4 : 15);
}

}  // namespace

void run_scaling(Context& context) {
  if (!context.options.wants_query("scaling") || !context.options.wants_caches("warm")) return;
  const auto engines = context.options.all_engines();
  if (std::ranges::find(engines, "snug", &Engine::name) == engines.end()) return;
  if (!context.out_of_time("scaling-all")) scale_all_pairs(context);
  if (!context.out_of_time("scaling-build")) scale_build(context);
  if (!context.out_of_time("scaling-motion")) scale_plant(context);
}

}  // namespace snug::bench::pairs
