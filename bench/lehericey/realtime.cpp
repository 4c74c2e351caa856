#include "bench/lehericey/recording.hpp"
#include "bench/measure.hpp"
#include "bench/pairs/clock.hpp"

#include <algorithm>
#include <ctime>

namespace snug::bench::lehericey {

namespace {

using Engine = headless::WorldOptions::Engine;

/// Steps of a world once its bodies have piled up, means in milliseconds.
struct Piled {
  double processor = 0;  ///< of all threads
  double narrow = 0;     ///< of that, finding contacts
  double stepping = 0;   ///< of the thread that steps: with several, what is not shared and its share of what is
  double wall = 0;       ///< the median
  std::uint64_t pairs = 0, contacts = 0;
};

double process_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Piled piled(const headless::WorldScene& scene, const headless::WorldOptions& how, std::uint32_t before,
            std::uint32_t steps) {
  headless::World world(scene, how);
  for (std::uint32_t i = 0; i < before; ++i) world.step();
  Piled sum;
  std::vector<double> wall;
  const double start = process_seconds(), stepping_start = pairs::thread_cpu_us();
  for (std::uint32_t i = 0; i < steps; ++i) {
    world.step();
    sum.narrow += 1e3 * world.work().narrow_processor_seconds / steps;
    sum.pairs += world.work().pairs, sum.contacts += world.work().contacts;
    wall.push_back(1e3 * world.work().seconds);
  }
  sum.processor = 1e3 * (process_seconds() - start) / steps;
  sum.stepping = 1e-3 * (pairs::thread_cpu_us() - stepping_start) / steps;
  std::ranges::sort(wall);
  sum.wall = wall[wall.size() / 2];
  sum.pairs /= steps, sum.contacts /= steps;
  return sum;
}

}  // namespace

void realtime(const Options& options, Rows& rows) {
  constexpr double k_rate = 60;
  // By then the last of 512 have come down, and fewer have long done so.
  const std::uint32_t before = options.quick ? 60 : 150, steps = options.steps > 0 ? options.steps
                                                                 : options.quick   ? 15
                                                                                   : 60;
  std::vector<std::uint32_t> counts{64, 96, 128, 192, 256, 512};
  if (options.quick) counts = {12};
  if (options.bodies > 0) counts = {options.bodies};
  struct Case {
    const char* name;
    headless::WorldOptions how;
  };
  const Case cases[] = {{"snug", {.threads = 1, .sleep = false}},
                        {"snug", {.threads = 2, .sleep = false}},
                        {"GImpact", {.engine = Engine::gimpact, .threads = 1, .sleep = false}}};
  Table table({"bodies", "narrow phase", "threads", "pairs", "contacts", "processor ms", "narrow ms", "stepping ms",
               "wall ms", "steps a second"});
  for (const std::uint32_t bodies : counts) {
    const headless::WorldScene scene = cut_down("avalanche", bodies);
    for (const Case& c : cases) {
      const Piled found = piled(scene, c.how, before, steps);
      const std::string of = std::string(c.name) + ", threads " + std::to_string(c.how.threads);
      const std::string name = "avalanche " + std::to_string(bodies);
      rows.push_back({"realtime", name, of, "ms", found.processor});
      rows.push_back({"realtime", name, of, "narrow ms", found.narrow});
      rows.push_back({"realtime", name, of, "stepping ms", found.stepping});
      rows.push_back({"realtime", name, of, "wall ms", found.wall});
      // Threads that wait for a processor because of others are no fault of the step. With two, the one that works for longer counts.
      const std::optional<double> rate = ratio_of(1e3, std::max(found.stepping, found.processor - found.stepping));
      if (rate) rows.push_back({"realtime", name, of, "steps a second", *rate});
      if (c.how.engine == Engine::snug && c.how.threads == 2)
        rows.bar("steps a second while piled, two threads, " + std::to_string(bodies) + " bodies", rate, k_rate, "");
      table.row({std::to_string(bodies), c.name, std::to_string(c.how.threads), std::to_string(found.pairs),
                 std::to_string(found.contacts), fixed(found.processor, 2), fixed(found.narrow, 2),
                 fixed(found.stepping, 2), fixed(found.wall, 2), rate ? fixed(*rate, 0) : "-"});
    }
  }
  show(options, table,
       "The avalanche while piled, none asleep: whole steps, contacts and solver, " + std::to_string(steps) +
           " of them after " + std::to_string(before) +
           ". Steps a second by the processor time of the busier thread; wall: the median, which other work on the "
           "machine lengthens");
}

}  // namespace snug::bench::lehericey
