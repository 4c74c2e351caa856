// Simulations that are hard on contacts, in Bullet with our contacts and with its own GImpact: what rests, creeps, gets lost and gains energy.

#include "bench/measure.hpp"
#include "bench/suites.hpp"
#ifdef SNUG_BENCH_HEADLESS
#include "bench/physics/outcome.hpp"
#endif

#include <array>
#include <cstdio>

namespace snug::bench {

#ifdef SNUG_BENCH_HEADLESS

namespace {

using namespace physics;
using Engine = headless::WorldOptions::Engine;

constexpr const char* k_help = R"(usage: snug-bench physics [options]

Seven scenes of bodies of 10 cm at 240 steps a second, in Bullet with our contacts and with its own GImpact. Rests: when the last point became
slower than 10 mm/s. Creep: of the fastest point in the last second. Energy: the most it grew, by how far that would lift a body, in all and
in the last second. Overlap: common volume at the end, in volumes of a body. None sleep.

  --scenes NAMES     of tower, chain, nuts on bolts, gears in mesh, tori in a bowl, cups in cups and cards on edge (default: all)
  --seconds N        simulated (default 4)
  --pictures DIR     a picture of each scene at its end, ours on the left: DIR/<scene>.png
  --ours             without GImpact
  --quick            1.5 seconds of the scenes of few bodies
  --csv FILE         the table
)";

std::string file_name(std::string name) {
  std::ranges::replace(name, ' ', '-');
  return name + ".png";
}

std::vector<std::string> cells(const std::string& scene, const char* engine, const Outcome& o) {
  return {scene,
          engine,
          o.rest < 0 ? "never" : fixed(o.rest, 2),
          fixed(o.creep, 2),
          std::to_string(o.out_of_place),
          fixed(o.overlap, 4),
          fixed(o.rise, 3),
          fixed(o.rise_at_rest, 4),
          fixed(o.contacts, 0),
          fixed(o.step_ms, 2),
          fixed(o.peak_mb, 0)};
}

}  // namespace

int run_physics(int argc, char** argv) {
  Arguments arguments;
  std::vector<std::string> wanted;
  std::string pictures;
  double seconds = 4;
  bool ours = false;
  const std::vector<headless::Trial> trials = headless::trials();
  OptionParser("physics", k_help)
      .names("--scenes", wanted, names_of(trials), "scene")
      .number("--seconds", seconds, 1.25, 600)
      .text("--pictures", pictures)
      .flag("--ours", ours)
      .flag("--quick",
            [&] {
              seconds = 1.5, ours = true;
              wanted = {"tower", "gears in mesh", "cups in cups", "cards on edge"};
            })
      .output("--csv", arguments.csv)
      .parse(argc, argv);

  constexpr std::array k_engines{std::pair{Engine::snug, "snug"}, std::pair{Engine::gimpact, "GImpact"}};
  Table table({"scene", "contacts", "rests s", "creep mm/min", "out of place", "overlap", "energy mm", "at rest",
               "contacts", "ms a step", "peak MB"});
  bool done = true;
  for (const headless::Trial& trial : trials) {
    if (!wants(wanted, trial.name)) continue;
    std::array<Picture, 2> seen;
    for (std::size_t e = 0; e < (ours ? 1 : 2); ++e) {
      const auto outcome = run_apart(trial, k_engines[e].first, seconds, seen[e]);
      if (outcome)
        table.row(cells(trial.name, k_engines[e].second, *outcome));
      else
        std::fprintf(stderr, "physics: %s, %s: ended without a result\n", trial.name.c_str(), k_engines[e].second);
      done = done && (outcome || e == 1);
    }
    if (!pictures.empty())
      done =
          write_text(pictures + '/' + file_name(trial.name), png_of(ours ? seen[0] : side_by_side(seen[0], seen[1]))) &&
          done;
  }
  return table.print("Bodies of 10 cm, 240 steps a second, " + fixed(seconds, 1) + " s simulated", arguments) && done
             ? 0
             : 5;
}

#else

int run_physics(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  std::fputs("physics: built without Bullet: nothing to measure\n", stderr);
  return 0;
}

#endif

}  // namespace snug::bench
