// Spheres that approach and turn over 72 cycles, after Kitamura et al. (1996): time per cycle, shares of the four steps, and what
// threads gain by either schedule.

#include "bench/measure.hpp"
#include "bench/pairs/clock.hpp"
#include "bench/report/row.hpp"
#include "bench/suites.hpp"
#include "scenes/scene.hpp"

#include <snug/sweep.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>

namespace snug::bench {

namespace {

constexpr const char* k_help = R"(usage: snug-bench kitamura [options]

Two spheres of 240, 960, 2,048 or 3,968 triangles approach while they turn. In each cycle vertices are posed and sweep_step() is
asked which faces may meet before the next one, arcs of the rotation covered.

  --rounds N       how often each cycle is timed; the least counts (default 25, quick 5)
  --quick          fewer rounds
  --csv FILE       scene,cycle,answer,us,step1_us,step2_us,step3_us,step4_us,checked,hulls,found
)";

/// The paper's figures for the last cycle.
struct Published {
  const char* scene;
  double ms;
  int checked, colliding;
};
constexpr Published k_published[] = {{"spheres-960", 126, 186, 21}, {"spheres-3968", 434, 1160, 121}};
constexpr double k_published_shares[] = {0.5, 2.4, 13.2, 83.9};  // Table 1, percent
constexpr const char* k_scenes[] = {"spheres-240", "spheres-960", "spheres-2048", "spheres-3968"};

/// Both bodies between two cycles.
class Cycle {
 public:
  Cycle(const scenes::Scene& scene, std::uint32_t last) : scene_(scene), motions_(scenes::world_motions(scene)) {
    const double from = scenes::step_time(scene, last - 1), to = scenes::step_time(scene, last);
    for (std::size_t b = 0; b < motions_.size(); ++b) {
      const Mesh& mesh = scene.assembly.parts()[b].mesh;
      poses_.push_back({motions_[b].at(from), motions_[b].at(to)});
      double radius = 0;
      for (const Point3& p : mesh.vertices()) radius = std::max(radius, std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z));
      t0_.emplace_back(mesh.vertices().size());
      t1_.emplace_back(mesh.vertices().size());
      poses_[b][0].apply(mesh.vertices(), t0_[b]);
      bodies_.push_back(
          {t0_[b], t1_[b], mesh.triangles(), turning_deviation(radius * (1 + 1e-12), poses_[b][0], poses_[b][1])});
    }
  }

  /// Microseconds; vertices at the start are those of the last cycle's end.
  double run(const SweepOptions& options, SweepStats& stats) {
    const double start = pairs::wall_us();
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      poses_[b][1].apply(scene_.assembly.parts()[b].mesh.vertices(), t1_[b]);
    const auto found = sweep_step(bodies_, options, &stats);
    keep(found);
    return pairs::wall_us() - start;
  }

 private:
  const scenes::Scene& scene_;
  std::vector<Motion> motions_;
  std::vector<std::array<Pose, 2>> poses_;
  std::vector<std::vector<Point3>> t0_, t1_;
  std::vector<SweepBody> bodies_;
};

struct Timed {
  double us = 1e300;
  SweepStats stats;
};

Timed least(Cycle& cycle, const SweepOptions& options, int rounds) {
  Timed best;
  for (int round = 0; round < rounds; ++round) {
    SweepStats stats;
    const double us = cycle.run(options, stats);
    if (us < best.us) best = {us, stats};
  }
  return best;
}

struct Options {
  int rounds = 25;
  std::string csv;
};

[[noreturn]] void refuse(const std::string& message) {
  std::fprintf(stderr, "snug-bench kitamura: %s\nSee 'snug-bench kitamura --help'.\n", message.c_str());
  std::exit(2);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) refuse(word + " needs a value");
      return argv[++i];
    };
    if (word == "--help" || word == "-h") {
      std::fputs(k_help, stdout);
      std::exit(0);
    } else if (word == "--quick") {
      options.rounds = 5;
    } else if (word == "--csv") {
      options.csv = value();
    } else if (word == "--rounds") {
      const std::string text = value();
      char* end = nullptr;
      const long rounds = std::strtol(text.c_str(), &end, 10);
      if (text.empty() || *end != '\0' || rounds < 1 || rounds > 10'000) refuse("--rounds: '" + text + "' will not do");
      options.rounds = static_cast<int>(rounds);
    } else {
      refuse("unexpected argument '" + word + '\'');
    }
  }
  return options;
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options) {}

  void measure(const std::string& name) {
    const scenes::Scene scene = scenes::find(name)->make({});
    for (std::uint32_t cycle = 1; cycle < scene.steps; ++cycle) {
      Cycle now(scene, cycle);
      const bool last = cycle + 1 == scene.steps;
      for (const bool refine : {false, true}) {
        const Timed timed = least(now, {.refine = refine}, last ? 4 * options_.rounds : options_.rounds);
        add(name, cycle + 1, refine, timed);
        if (last || (cycle + 1) % 12 == 0) show(name, cycle + 1, refine, timed);
        if (last && !refine) shares(name, timed);
      }
      if (last) threads(name, now);
    }
  }

  std::vector<std::vector<std::string>> cycles{
      {"spheres", "cycle", "answer", "us", "checked", "hulls", "found", "paper"}};
  std::vector<std::vector<std::string>> steps{{"last cycle, %", "step 1", "step 2", "step 3", "step 4"}};
  std::vector<std::vector<std::string>> by_threads{{"last cycle, us", "threads", "fixed", "flowing", "ideal T_N"}};
  std::string csv = "scene,cycle,answer,us,step1_us,step2_us,step3_us,step4_us,checked,hulls,found\n";

 private:
  static std::string answer(bool refine) { return refine ? "with times" : "hulls"; }

  void add(const std::string& name, std::uint32_t cycle, bool refine, const Timed& t) {
    csv += name + ',' + std::to_string(cycle) + ',' + answer(refine) + ',' + fixed(t.us, 3);
    for (const double us : t.stats.step_us) csv += ',' + fixed(us, 3);
    csv += ',' + std::to_string(t.stats.checked) + ',' + std::to_string(t.stats.hulls_met) + ',' +
           std::to_string(t.stats.found) + '\n';
  }
  void show(const std::string& name, std::uint32_t cycle, bool refine, const Timed& t) {
    std::string paper = "-";
    for (const Published& p : k_published)
      if (name == p.scene && cycle == 72 && !refine)
        paper = fixed(p.ms, 0) + " ms, " + std::to_string(p.colliding) + " of " + std::to_string(p.checked);
    cycles.push_back({name, std::to_string(cycle), answer(refine), fixed(t.us, 1), std::to_string(t.stats.checked),
                      std::to_string(t.stats.hulls_met), std::to_string(t.stats.found), paper});
  }
  void shares(const std::string& name, const Timed& t) {
    double all = 0;
    for (const double us : t.stats.step_us) all += us;
    std::vector<std::string> row{name};
    for (const double us : t.stats.step_us) row.push_back(fixed(100 * us / all, 1));
    steps.push_back(row);
  }
  void threads(const std::string& name, Cycle& cycle) {
    const Timed alone = least(cycle, {.refine = false}, 2 * options_.rounds);
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    for (const unsigned n : {1U, 2U, 4U, 8U, 12U}) {
      std::vector<std::string> row{name, std::to_string(n)};
      for (const SweepSchedule schedule : {SweepSchedule::fixed, SweepSchedule::flowing})
        row.push_back(
            n > cores
                ? "-"
                : fixed(least(cycle, {.refine = false, .threads = n, .schedule = schedule}, options_.rounds).us, 1));
      row.push_back(fixed(alone.us - alone.stats.step_us[3] * (1 - 1.0 / n), 1));
      by_threads.push_back(row);
    }
  }

  const Options& options_;
};

}  // namespace

int run_kitamura(int argc, char** argv) {
  const Options options = parse(argc, argv);
  Run run(options);
  for (const char* scene : k_scenes) {
    std::fprintf(stderr, "%s\n", scene);
    run.measure(scene);
  }
  std::vector<std::string> paper{"the paper (3,968)"};
  for (const double share : k_published_shares) paper.push_back(fixed(share, 1));
  run.steps.push_back(paper);
  std::string text = "Time of a cycle, arcs covered, one thread\n" + table_text(run.cycles);
  text += "\nShares of the four steps (answer: hulls)\n" + table_text(run.steps);
  text += "\nThreads (answer: hulls; '-': more than there are cores, not measured)\n" + table_text(run.by_threads);
  std::fputs(text.c_str(), stdout);
  bool written = std::fflush(stdout) == 0;
  if (!options.csv.empty()) written = write_text(options.csv, run.csv) && written;
  return written ? 0 : 5;
}

}  // namespace snug::bench
