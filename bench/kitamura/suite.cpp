// Spheres that approach and turn over 72 cycles, after Kitamura et al. (1996): time per cycle, shares of the four steps, what
// threads gain by each schedule, and how often they reach into memory they share.

#include "bench/kitamura/simulation.hpp"
#include "bench/measure.hpp"
#include "bench/option_parser.hpp"
#include "bench/pairs/clock.hpp"
#include "bench/report/row.hpp"
#include "bench/suites.hpp"
#include "scenes/scene.hpp"

#include <snug/sweep.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <thread>

namespace snug::bench {

namespace {

constexpr const char* k_help = R"(usage: snug-bench kitamura [options]

Two spheres of 240, 960, 2,048 or 3,968 triangles approach while they turn. In each cycle vertices are posed and sweep_step() is
asked which faces may meet before the next one, arcs of the rotation covered.

  --rounds N       how often each cycle is timed; the least counts (default 25, quick 5)
  --quick          fewer rounds
  --csv FILE       scene,cycle,answer,us,step1_us,step2_us,step3_us,step4_us,checked,hulls,found
  --svg FILE       time over cycles (the paper's Fig. 2) and over threads (Figs 3 and 4)
  --json           one JSON document, snug.bench/1, instead of the tables

Times on more threads than there are cores are simulated: the schedule is played through with the measured costs of every pair and of
handing over a portion, as if each thread had a core of its own and waited for work. They are marked as simulated.
)";

/// The paper's figures for the last cycle.
struct Published {
  const char* scene;
  double ms;
  int checked, colliding;
};
constexpr Published k_published[] = {{"spheres-960", 126, 186, 21}, {"spheres-3968", 434, 1160, 121}};
constexpr double k_published_shares[] = {0.5, 2.4, 13.2, 83.9};  // Table 1, percent
/// Section 6.1: P = 1160 pairs, p = 121 colliding.
constexpr int k_published_static = 1281, k_published_dynamic = 2441;
constexpr double k_asked_us = 200;  ///< for the last cycle of the largest spheres, one thread, the paper's answer
constexpr const char* k_scenes[] = {"spheres-240", "spheres-960", "spheres-2048", "spheres-3968"};

struct Named {
  SweepSchedule schedule;
  const char* word;
};
constexpr Named k_schedules[] = {
    {SweepSchedule::fixed, "fixed"}, {SweepSchedule::flowing, "flowing"}, {SweepSchedule::stealing, "stealing"}};

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

  /// As of the last run().
  [[nodiscard]] std::span<const SweepBody> bodies() const noexcept { return bodies_; }

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
  std::string csv, svg;
  bool json = false;
};

Options parse(int argc, char** argv) {
  Options options;
  OptionParser("kitamura", k_help)
      .number("--rounds", options.rounds, 1, 10'000)
      .flag("--quick", [&] { options.rounds = 5; })
      .output("--csv", options.csv)
      .output("--svg", options.svg)
      .flag("--json", options.json)
      .parse(argc, argv);
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
        if (!refine && (last || (cycle + 1) % 6 == 0))
          row("cycles of spheres", "Fig. 2", std::to_string(cycle + 1), name, 1, timed.us, timed.stats.found);
        if (last && !refine) shares(name, timed);
        if (last && !refine && name == k_scenes[std::size(k_scenes) - 1])
          results.bars.push_back({"last cycle of " + name + ", one thread", "at most " + fixed(k_asked_us, 0) + " us",
                                  fixed(timed.us, 0) + " us",
                                  timed.us <= k_asked_us ? Bar::State::met : Bar::State::missed});
      }
      if (last) threads(name, now);
    }
  }

  std::vector<std::vector<std::string>> cycles{
      {"spheres", "cycle", "answer", "us", "checked", "hulls", "found", "paper"}};
  std::vector<std::vector<std::string>> steps{{"last cycle, %", "step 1", "step 2", "step 3", "step 4"}};
  std::vector<std::vector<std::string>> by_threads{{"last cycle, us", "threads", "fixed", "flowing", "stealing",
                                                    "fixed sim", "flowing sim", "stealing sim", "ideal T_N"}};
  std::vector<std::vector<std::string>> accesses{
      {"last cycle", "schedule", "P", "p", "shared", "section 6.1", "exclusions", "paper"}};
  Results results{"kitamura", {}, {}, {}};
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
  void row(const std::string& scene, const std::string& query, const std::string& bucket, const std::string& engine,
           unsigned threads, double us, std::uint64_t found) {
    results.rows.push_back({"kitamura", scene, bucket, query, engine, threads, us, us, std::to_string(found), "-"});
  }
  void threads(const std::string& name, Cycle& cycle) {
    const Timed alone = least(cycle, {.refine = false}, 2 * options_.rounds);
    const kitamura::Costs costs = kitamura::measure_costs(cycle.bodies(), alone.stats, alone.us);
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const std::string figure = "threads, last cycle";
    for (const unsigned n : {1U, 2U, 3U, 4U, 6U, 8U, 10U, 12U}) {
      const std::string count = std::to_string(n);
      std::vector<std::string> line{name, count}, simulated;
      for (const auto& [schedule, word] : k_schedules) {
        if (n <= cores) {
          const Timed timed = least(cycle, {.refine = false, .threads = n, .schedule = schedule}, options_.rounds);
          line.push_back(fixed(timed.us, 1));
          row(name, figure, count, word, n, timed.us, timed.stats.found);
        } else {
          line.emplace_back("-");
        }
        const double us = kitamura::simulate(costs, schedule, n);
        simulated.push_back(fixed(us, 1));
        row(name, figure, count, std::string(word) + " (simulated)", n, us, alone.stats.found);
      }
      line.insert(line.end(), simulated.begin(), simulated.end());
      line.push_back(fixed(kitamura::ideal(costs, n), 1));
      row(name, figure, count, "ideal T_N", n, kitamura::ideal(costs, n), alone.stats.found);
      by_threads.push_back(line);
    }
    results.remarks.push_back(name + ": starting a thread took " + fixed(costs.start, 1) +
                              " us, handing over a portion " + fixed(costs.hand_over, 3) +
                              " us; the first is in measured times, not in simulated ones");
    for (const auto& [schedule, word] : k_schedules) {
      SweepStats stats;
      cycle.run({.refine = false, .threads = 2, .schedule = schedule}, stats);
      const bool flows = schedule == SweepSchedule::flowing;
      accesses.push_back(
          {name, word, std::to_string(stats.checked), std::to_string(stats.found),
           std::to_string(stats.shared_accesses), std::to_string((flows ? 2 : 1) * stats.checked + stats.found),
           std::to_string(stats.exclusions),
           name != "spheres-3968"                ? "-"
           : schedule == SweepSchedule::stealing ? "-"
                                                 : std::to_string(flows ? k_published_dynamic : k_published_static)});
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
  run.results.remarks.push_back("stealing is done by " + std::string(work_stealing()));
  std::string text;
  if (options.json) {
    text = json_text(run.results);
  } else {
    text = "Time of a cycle, arcs covered, one thread\n" + table_text(run.cycles);
    text += "\nShares of the four steps (answer: hulls)\n" + table_text(run.steps);
    text += "\nThreads (answer: hulls; '-': more than there are cores, not measured; sim: simulated)\n" +
            table_text(run.by_threads);
    text += "\nShared accesses while pairs are checked, two threads, counted and by the paper's formula\n" +
            table_text(run.accesses);
    for (const std::string& remark : run.results.remarks) text += remark + '\n';
    text += '\n' + bars_text(run.results.bars);
  }
  std::fputs(text.c_str(), stdout);
  bool written = std::fflush(stdout) == 0;
  if (!options.csv.empty()) written = write_text(options.csv, run.csv) && written;
  if (!options.svg.empty()) written = write_text(options.svg, svg_text(run.results)) && written;
  return written ? 0 : 5;
}

}  // namespace snug::bench
