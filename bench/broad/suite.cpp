// Many boxes that move: how long engines take to take over their places and to find all pairs that meet, on the same boxes,
// with answers compared.

#include "bench/broad/motion.hpp"
#include "bench/option_parser.hpp"
#include "bench/pairs/answers.hpp"
#include "bench/pairs/series.hpp"
#include "bench/peers/box_engine.hpp"
#include "bench/report/row.hpp"
#include "bench/suites.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace snug::bench {

namespace {

using namespace broad;
using pairs::Answer;
using pairs::Contender;
using pairs::Trial;

constexpr const char* k_help = R"(usage: snug-bench broad [options]

  --boxes NAMES    10k, 100k
  --motion NAMES   slow, fast (every box moves), few (100 of them do)
  --engine NAMES   snug, fcl, embree: those that were found when this was built
  --steps N        steps of each motion (default 60)
  --budget S       seconds for one motion, after which the rest of its steps is left out (default 12)
  --seed N         other boxes
  --quick          little of everything, within 30 seconds
  --csv FILE       suite,scene,bucket,query,engine,threads,mean_us,p99_us,answers,hash
  --json           one JSON document instead of the table

Lists take commas.
)";

struct Size {
  std::string_view name;
  std::size_t boxes;
};
constexpr Size k_sizes[] = {{"10k", 10'000}, {"100k", 100'000}};
constexpr Kind k_kinds[] = {{"slow", 0.02, 0}, {"fast", 0.2, 0}, {"few", 2.0, 100}};
constexpr std::size_t k_untimed_steps = 4;

struct Options {
  std::vector<std::string> boxes, motions, engines;
  std::string csv;
  std::size_t steps = 60;
  double budget_s = 12;
  std::uint64_t seed = 1;
  bool json = false;
};

Options parse(int argc, char** argv) {
  Options options;
  OptionParser("broad", k_help)
      .names("--boxes", options.boxes, names_of(k_sizes), "number of boxes")
      .names("--motion", options.motions, names_of(k_kinds), "motion")
      .names("--engine", options.engines, names_of(box_engines()), "engine")
      .number("--steps", options.steps, 1, 1e6)
      .number("--budget", options.budget_s, 0, 1e6)
      .number("--seed", options.seed, 0, 1e15)
      .flag("--quick", [&] { options.steps = 15, options.budget_s = 2.5; })
      .output("--csv", options.csv)
      .flag("--json", options.json)
      .parse(argc, argv);
  return options;
}

/// One engine on boxes that all engines share.
class BoxContender final : public Contender {
 public:
  BoxContender(const BoxEngine& engine, Motion& motion)
      : Contender(std::string(engine.name), Trust::exact, false), motion_(motion), engine_(engine.make()) {
    engine_->start(motion.boxes());
  }
  void prepare(std::size_t step) override { motion_.go_to(k_untimed_steps + step); }
  void run(Query /*query*/) override { engine_->step(motion_.boxes(), motion_.moved()); }
  Answer answer(Query /*query*/) override {
    engine_->pairs(found_);
    return pairs::answer_of(found_);
  }

 private:
  Motion& motion_;
  std::unique_ptr<MovingBoxes> engine_;
  std::vector<IdPair> found_;
};

std::vector<Trial> measure(const Options& options, const Size& size, const Kind& kind) {
  Motion motion(size.boxes, kind, options.seed);
  std::vector<std::unique_ptr<BoxContender>> contenders;
  std::vector<Contender*> taking_part;
  for (const BoxEngine& engine : box_engines()) {
    if (!wants(options.engines, engine.name)) continue;
    contenders.push_back(std::make_unique<BoxContender>(engine, motion));
    taking_part.push_back(contenders.back().get());
  }
  for (std::size_t step = 1; step <= k_untimed_steps; ++step) {
    motion.go_to(step);
    for (Contender* contender : taking_part) contender->run(Query::all);
  }
  return pairs::run_series(taking_part,
                           {.query = Query::all, .steps = options.steps, .budget_s = options.budget_s, .least = 3});
}

void judge(Results& results, const std::string& scene, const Kind& kind, const std::vector<Trial>& trials) {
  const Trial* ours = nullptr;
  const Trial* best = nullptr;
  for (const Trial& trial : trials) {
    if (trial.engine == "snug")
      ours = &trial;
    else if (best == nullptr || trial.mean_us() < best->mean_us())
      best = &trial;
  }
  Bar bar{scene + ' ' + std::string(kind.name) + " beside the best peer", "at least 1x", "-", Bar::State::not_measured};
  if (ours != nullptr && best != nullptr) {
    const double ratio = best->mean_us() / ours->mean_us();
    bar.measured = short_number(ratio) + "x (" + best->engine + ')';
    bar.state = ratio >= 1 ? Bar::State::met : Bar::State::missed;
  }
  results.bars.push_back(std::move(bar));
}

std::string report(const Results& results) {
  std::vector<std::vector<std::string>> table(1, {"boxes", "motion", "engine", "mean ms", "p99 ms", "pairs", "hash"});
  for (const Row& row : results.rows)
    table.push_back({row.scene, row.bucket, row.engine, short_number(row.mean_us / 1000),
                     short_number(row.p99_us / 1000), row.answers, row.hash});
  std::string out = table_text(table) + '\n';
  for (const std::string& remark : results.remarks) out += remark + '\n';
  table.assign(1, {"bar", "asked", "measured", "state"});
  for (const Bar& bar : results.bars)
    table.push_back({bar.what, bar.asked, bar.measured, std::string(to_string(bar.state))});
  return out + table_text(table);
}

}  // namespace

int run_broad(int argc, char** argv) {
  const Options options = parse(argc, argv);
  for (const BoxEngine& engine : box_engines())
    std::fprintf(stderr, "%s %s\n", std::string(engine.name).c_str(), engine.version.c_str());
  Results results{"broad", {}, {}, {}};
  for (const Size& size : k_sizes)
    for (const Kind& kind : k_kinds) {
      if (!wants(options.boxes, size.name) || !wants(options.motions, kind.name)) continue;
      const std::string scene = "boxes" + std::string(size.name);
      const std::vector<Trial> trials = measure(options, size, kind);
      for (const Trial& trial : trials)
        results.rows.push_back({"broad", scene, std::string(kind.name), "all", trial.engine, 1, trial.mean_us(),
                                trial.p99_us(), pairs::answers_text(Query::all, trial),
                                pairs::hash_text(Query::all, trial)});
      for (const auto& other : pairs::disagreements(Query::all, trials))
        results.remarks.push_back(scene + ' ' + std::string(kind.name) + ": " + other.engine + " found " +
                                  std::to_string(other.count) + " pairs where " + other.judge + " found " +
                                  std::to_string(other.judge_count));
      judge(results, scene, kind, trials);
    }
  std::fputs(options.json ? json_text(results).c_str() : report(results).c_str(), stdout);
  bool written = std::fflush(stdout) == 0;
  if (!options.csv.empty()) written = write_text(options.csv, csv_text(results)) && written;
  return written ? 0 : 5;
}

}  // namespace snug::bench
