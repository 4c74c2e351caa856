// Rigid paths whose first contact is known: right answers, error of the time and cost of each engine.

#include "bench/measure.hpp"
#include "bench/option_parser.hpp"
#include "bench/pairs/answers.hpp"
#include "bench/pairs/clock.hpp"
#include "bench/paths/scenes.hpp"
#include "bench/paths/truth.hpp"
#include "bench/report/row.hpp"
#include "bench/suites.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace snug::bench {

namespace {

using namespace paths;

constexpr const char* k_help = R"(usage: snug-bench paths [options]

Two bodies from one pose to another, positions in straight lines, rotations by slerp: do they meet, and when first? Truth is
conservative advancement by distances, in steps that no point can outrun.

  --scene NAMES  env-rob, knots, thin-plate, spinning-rod; with commas
  --paths N      of each scene (default 250; quick 25)
  --seed N       of the ways (default 1)
  --quick        fewer paths, within 30 seconds
  --csv FILE     suite,scene,bucket,query,engine,threads,mean_us,p99_us,answers,hash
  --json         one JSON document instead of the table

env-rob needs SNUG_DATA. Times are CPU time, the least of three rounds in which engines take turns (of one, where that takes 20 ms). 'missed' and 'made up' count wrong
answers, 'error' is that of the contact time where both truth and engine say yes, the range being 1.
Exit status: 0 all answers of snug right, 1 some wrong, 2 wrong usage, 5 output cannot be written.
)";

constexpr double k_slow_us = 20'000;  ///< who takes longer for a path is timed once

struct Options {
  std::vector<std::string> scenes;
  std::string csv;
  std::uint64_t seed = 1;
  std::size_t paths = 250;
  int rounds = 3;
  bool json = false;
};

Options parse(int argc, char** argv) {
  Options options;
  OptionParser("paths", k_help)
      .names("--scene", options.scenes, names_of(scene_kinds()), "scene")
      .number("--paths", options.paths, 1, 100'000)
      .number("--seed", options.seed, 1, 1e9)
      .flag("--quick", [&] { options.paths = 25, options.rounds = 2; })
      .output("--csv", options.csv)
      .flag("--json", options.json)
      .parse(argc, argv);
  return options;
}

/// One engine on one scene.
struct Tally {
  std::vector<double> us;
  std::vector<PathAnswer> answers;
  std::size_t hits = 0, missed = 0, made_up = 0, timed = 0;  ///< timed: contacts that truth knows as well
  double worst_error = 0;

  void judge(const std::vector<DenseAdvancement::Known>& truth) {
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const PathAnswer &said = answers[i], &known = truth[i].answer;
      hits += said.hit ? 1 : 0;
      if (!truth[i].sure) continue;
      missed += known.hit && !said.hit ? 1 : 0;
      made_up += said.hit && !known.hit ? 1 : 0;
      if (!said.hit || !known.hit) continue;
      ++timed;
      worst_error = std::max(worst_error, std::abs(said.t - known.t));
    }
  }
  [[nodiscard]] std::size_t wrong() const { return missed + made_up; }
  [[nodiscard]] double mean_us() const {
    return std::accumulate(us.begin(), us.end(), 0.0) / static_cast<double>(us.size());
  }
  [[nodiscard]] double p99_us() const {
    std::vector<double> sorted = us;
    std::ranges::sort(sorted);
    return sorted[static_cast<std::size_t>(0.99 * static_cast<double>(sorted.size() - 1))];
  }
  [[nodiscard]] std::string hash() const {
    pairs::Hash hash;
    for (const PathAnswer& answer : answers) hash.add(answer.hit ? 1 : 0);
    char text[32];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash.value()));
    return text;
  }
};

std::string error_text(double error) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", error);
  return text;
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options) {}

  void measure(const SceneKind& kind) {
    std::string why;
    const auto scene = kind.make(1000 * options_.seed, options_.paths, why);
    if (!scene) return results.remarks.push_back(std::string(kind.name) + ": left out: " + why);
    std::fprintf(stderr, "%s: %zu paths\n", std::string(kind.name).c_str(), scene->paths.size());
    DenseAdvancement judge(scene->a, scene->b);
    std::vector<DenseAdvancement::Known> truth;
    for (const RigidPath& path : scene->paths) truth.push_back(judge.truth(path));
    const auto engines = path_engines();
    std::vector<std::unique_ptr<PathQueries>> made;
    for (const PathEngine& engine : engines) made.push_back(engine.make(scene->a, scene->b));
    std::vector<Tally> tallies(engines.size());
    for (std::size_t i = 0; i < scene->paths.size(); ++i)
      for (int round = 0; round < options_.rounds; ++round)
        for (std::size_t k = 0; k < engines.size(); ++k) {
          const std::size_t e = (k + i + static_cast<std::size_t>(round)) % engines.size();
          if (round > 0 && tallies[e].us[i] > k_slow_us) continue;
          made[e]->prepare(scene->paths[i]);
          const double start = pairs::thread_cpu_us();
          const PathAnswer answer = made[e]->run();
          const double us = pairs::thread_cpu_us() - start;
          Tally& tally = tallies[e];
          if (round == 0)
            tally.us.push_back(us), tally.answers.push_back(answer);
          else
            tally.us[i] = std::min(tally.us[i], us);
        }
    const auto unsure = std::ranges::count(truth, false, &DenseAdvancement::Known::sure);
    if (unsure > 0)
      results.remarks.push_back(std::string(kind.name) + ": " + std::to_string(unsure) +
                                " paths left out, whose truth is closer than doubles tell");
    const auto known_hits =
        std::ranges::count_if(truth, [](const auto& known) { return known.sure && known.answer.hit; });
    for (std::size_t e = 0; e < engines.size(); ++e) add(kind, engines[e], tallies[e], truth, tallies[0].mean_us());
    paths += truth.size() - static_cast<std::size_t>(unsure);
    hits += static_cast<std::size_t>(known_hits);
  }

  void finish() {
    const auto bar = [&](std::string what, std::string asked, std::string measured, bool met, bool there = true) {
      results.bars.push_back({std::move(what), std::move(asked), there ? std::move(measured) : "-",
                              !there ? Bar::State::not_measured
                              : met  ? Bar::State::met
                                     : Bar::State::missed});
    };
    bar("right answers on " + std::to_string(paths) + " paths, " + std::to_string(hits) + " with contact", "all",
        std::to_string(wrong_) + " wrong", wrong_ == 0, paths > 0);
    bar("error of the contact time", "at most 1e-5", error_text(error_), error_ <= 1e-5, hits > 0);
    const double gain = naive_us_ / ours_us_;
    bar("faster than FCL's naive solver, 1000 samples, all paths together", "at least 10x", short_number(gain) + "x",
        gain >= 10, least_gain_ < 1e300);
    bar("the same, every scene by itself", "at least 10x", short_number(least_gain_) + "x", least_gain_ >= 10,
        least_gain_ < 1e300);
    bar("faster than 100 sub-steps by method surface, every scene", "at least 1x", short_number(least_sampled_) + "x",
        least_sampled_ >= 1, paths > 0);
    bar("contacts that 100 sub-steps miss on the thin plate", "found", std::to_string(plate_) + " found", plate_ > 0,
        plate_seen_);
  }

  [[nodiscard]] bool all_right() const { return wrong_ == 0; }

  Results results{"paths", {}, {}, {}};
  std::vector<std::vector<std::string>> table{
      {"scene", "engine", "hits", "missed", "made up", "right %", "error", "mean us", "p99 us", "to snug"}};
  std::size_t paths = 0, hits = 0;

 private:
  void add(const SceneKind& kind, const PathEngine& engine, Tally& tally,
           const std::vector<DenseAdvancement::Known>& truth, double ours_us) {
    tally.judge(truth);
    const double ratio = tally.mean_us() / ours_us;
    const double right = 100 * (1 - static_cast<double>(tally.wrong()) / static_cast<double>(truth.size()));
    table.push_back({std::string(kind.name), std::string(engine.name), std::to_string(tally.hits),
                     std::to_string(tally.missed), std::to_string(tally.made_up), fixed(right, 1),
                     tally.timed > 0 ? error_text(tally.worst_error) : "-", short_number(tally.mean_us()),
                     short_number(tally.p99_us()), fixed(ratio, 2) + "x"});
    results.rows.push_back({"paths", std::string(kind.name), "all", "first contact", std::string(engine.name), 1,
                            tally.mean_us(), tally.p99_us(),
                            std::to_string(tally.hits) + " hits, " + std::to_string(tally.missed) + " missed, " +
                                std::to_string(tally.made_up) + " made up, error " + error_text(tally.worst_error),
                            tally.hash()});
    if (engine.name == "snug") {
      wrong_ += tally.wrong();
      error_ = std::max(error_, tally.worst_error);
      ours_us_ += std::accumulate(tally.us.begin(), tally.us.end(), 0.0);
    } else if (engine.name == "fcl naive 1000") {
      least_gain_ = std::min(least_gain_, ratio);
      naive_us_ += std::accumulate(tally.us.begin(), tally.us.end(), 0.0);
    } else if (engine.name == "snug sampled") {
      least_sampled_ = std::min(least_sampled_, ratio);
      if (kind.name == "thin-plate") plate_ = tally.missed, plate_seen_ = true;
    }
  }

  const Options& options_;
  std::size_t wrong_ = 0, plate_ = 0;
  bool plate_seen_ = false;
  double error_ = 0, least_gain_ = 1e300, least_sampled_ = 1e300, naive_us_ = 0, ours_us_ = 0;
};

}  // namespace

int run_paths(int argc, char** argv) {
  const Options options = parse(argc, argv);
  Run run(options);
  for (const SceneKind& kind : scene_kinds())
    if (wants(options.scenes, kind.name)) run.measure(kind);
  run.finish();
  std::string text;
  if (options.json) {
    text = json_text(run.results);
  } else {
    text = table_text(run.table);
    for (const std::string& remark : run.results.remarks) text += remark + '\n';
    text += '\n' + bars_text(run.results.bars);
  }
  std::fputs(text.c_str(), stdout);
  bool written = std::fflush(stdout) == 0;
  if (!options.csv.empty()) written = write_text(options.csv, csv_text(run.results)) && written;
  return !written ? 5 : run.all_right() ? 0 : 1;
}

}  // namespace snug::bench
