// A haptic loop: a probe in a box, asked for the distance 1,000 times a second of its motion. What counts is not the mean but the
// slowest steps, and whether they are ours or the scheduler's.

#include "bench/measure.hpp"
#include "bench/suites.hpp"

#include "scenes/random.hpp"
#include "scenes/scene.hpp"

#include <snug/snug.hpp>

#include <cmath>
#include <ctime>

namespace snug::bench {

namespace {

double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct Loop {
  std::vector<double> wall_us, worked_us;                 ///< of each step, on the clock and on the processor
  std::uint64_t undecided = 0, late = 0, late_by_us = 0;  ///< above 1 ms; of those, with so much time on the processor

  /// Calls step(pose of the tool), which returns whether it decided, once per millisecond of the motion, there and back, each time a
  /// hair beside the last so that no pose comes twice.
  template <class Step>
  void run(const Motion& motion, double duration, std::size_t steps, Step&& step) {
    scenes::Random random(1);
    wall_us.reserve(steps), worked_us.reserve(steps);
    for (std::size_t i = 0; i < steps; ++i) {
      const double t = std::fmod(1e-3 * double(i), 2 * duration);
      const Pose on_path = motion.at(t < duration ? t : 2 * duration - t);
      const Pose pose = Pose::make(on_path.rotation(), on_path.translation() + random.point(-1e-3, 1e-3)).value();
      const double cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID), wall = seconds_of(CLOCK_MONOTONIC);
      undecided += step(pose) ? 0 : 1;
      const double took = 1e6 * (seconds_of(CLOCK_MONOTONIC) - wall);
      const double worked = 1e6 * (seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu);
      wall_us.push_back(took), worked_us.push_back(worked);
      late += took > 1000 ? 1 : 0;
      late_by_us += took > 1000 && worked > 1000 ? 1 : 0;
    }
    std::ranges::sort(wall_us), std::ranges::sort(worked_us);
  }
  [[nodiscard]] static std::string at(const std::vector<double>& us, double share) {
    return fixed(us[std::min(us.size() - 1, std::size_t(share * double(us.size())))], 1);
  }
  [[nodiscard]] std::vector<std::string> row(const char* name) const {
    return {name,
            std::to_string(wall_us.size()),
            at(wall_us, 0.5),
            at(wall_us, 0.99),
            at(wall_us, 0.999),
            at(wall_us, 0.9999),
            fixed(wall_us.back(), 1),
            at(worked_us, 0.999),
            fixed(worked_us.back(), 1),
            std::to_string(late),
            std::to_string(late_by_us),
            std::to_string(undecided)};
  }
};

}  // namespace

int run_haptic(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const scenes::Scene scene = scenes::find("tool-and-box")->make({});
  const Shape box(scene.assembly.parts()[0].mesh), tool(scene.assembly.parts()[1].mesh);
  const std::vector<Motion> motions = scenes::world_motions(scene);
  const Pose at_rest = motions[0].at(0);
  const std::size_t steps = arguments.quick ? 20'000 : 1'000'000;
  Table table({"asked", "steps", "p50 us", "p99", "p99.9", "p99.99", "max", "working: p99.9", "max", "above 1 ms",
               "of those working", "undecided"});
  {
    Scratch scratch;
    Loop loop;
    loop.run(motions[1], scene.duration, steps / 10,
             [&](const Pose& pose) { return distance(box, at_rest, tool, pose, scratch).complete; });
    table.row(loop.row("distance, from scratch"));
  }
  {
    Tracker tracker(box, tool);
    Loop loop;
    loop.run(motions[1], scene.duration, steps,
             [&](const Pose& pose) { return tracker.distance(at_rest, pose).complete; });
    table.row(loop.row("distance, tracker"));
  }
  {
    Tracker tracker(box, tool);
    Loop loop;
    loop.run(motions[1], scene.duration, steps, [&](const Pose& pose) {
      return tracker.try_distance(at_rest, pose, Budget::lasting(std::chrono::microseconds(500))).decided();
    });
    table.row(loop.row("distance, tracker, 0.5 ms"));
  }
  {
    Tracker tracker(box, tool);
    Loop loop;
    loop.run(motions[1], scene.duration, steps,
             [&](const Pose& pose) { return tracker.try_intersects(at_rest, pose, {.steps = 64}).decided(); });
    table.row(loop.row("meets?, tracker, 64 node tests"));
  }
  {
    ContactTracker tracker;
    Contacts found;
    std::uint64_t touching = 0, told = 0;
    Loop loop;
    loop.run(motions[1], scene.duration, steps / 10, [&](const Pose& pose) {
      contacts(box, at_rest, tool, pose, tracker, found);
      touching += found.touching() ? 1 : 0, told += found.contacts.size();
      return true;
    });
    const std::string met = fixed(100 * double(touching) / double(steps / 10), 0) + " % touching, " +
                            fixed(double(told) / double(steps / 10), 1) + " told";
    table.row(loop.row(("contacts, tracker (" + met + ")").c_str()));
  }
  return table.print("tool-and-box at 1 kHz; a step above 1 ms that did not work for 1 ms was not running", arguments)
             ? 0
             : 5;
}

}  // namespace snug::bench
