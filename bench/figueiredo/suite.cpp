// The tables of Figueiredo (2010): three assemblies put together step by step, by the published search, by our default and
// by the peers at hand.

#include "bench/figueiredo/options.hpp"
#include "bench/figueiredo/tables.hpp"
#include "bench/pairs/answers.hpp"
#include "bench/pairs/clock.hpp"
#include "bench/pairs/guard.hpp"
#include "bench/suites.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>

namespace snug::bench {

namespace figueiredo {
namespace {

constexpr std::array k_questions{Question::first_surface, Question::surfaces, Question::first_triangle,
                                 Question::triangles};
constexpr double k_budget_s = 8;       // for one question about one scene
constexpr double k_quick_s = 10;       // for the series of a quick run, what comes between them included
constexpr double k_quick_last_s = 20;  // after which it begins nothing that can be spared
constexpr std::size_t k_warm_up = 2;   // steps
constexpr std::size_t k_quick_count = 8, k_count = 200;  // steps over which operations are counted

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options), start_us_(pairs::wall_us()) {
    results.suite = "figueiredo";
    for (const Engine* engine : engines())
      if (engine->name() != k_default && engine->can(Query::all) && engine->can(Query::first)) {
        peers_.push_back(engine);
        peer_names.emplace_back(engine->name());
      }
    results.remarks.emplace_back(
        "PQP, RAPID, OPCODE and Dop Tree are not packaged for Debian; of them only the paper's figures are shown");
  }

  void measure(std::size_t s) {
    std::fprintf(stderr, "%s\n", std::string(k_scenes[s]).c_str());
    const AssemblySteps steps(scenes::find(k_scenes[s])->make({}));
    SceneResult& out = scenes_out[s];
    out.parts = steps.shapes.size();
    out.surfaces = steps.surfaces();
    out.triangles = steps.triangles();
    out.steps = steps.steps.size();
    out.intersecting = steps.intersecting.size();
    out.meetings_per_step = steps.meetings_per_step();
    if (out.intersecting != static_cast<std::size_t>(k_steps[s]))
      results.remarks.push_back(std::string(k_scenes[s]) + ": " + std::to_string(out.intersecting) +
                                " intersecting steps where there should be " + std::to_string(k_steps[s]));
    build_peers(steps);
    for (const Question question : k_questions) time(s, question, steps);
    for (PeerSteps& peer : built_) out.peer_steps.emplace_back(peer.name(), steps_met(peer, steps));
    count(s, steps);
    built_.clear();
  }

  Results results;
  SceneResults scenes_out;
  std::vector<std::string> peer_names;

 private:
  void build_peers(const AssemblySteps& steps) {
    for (const Engine* engine : peers_) built_.emplace_back(*engine, steps);
  }

  void time(std::size_t s, Question question, const AssemblySteps& steps) {
    std::deque<OurSteps> ours;
    std::vector<pairs::Contender*> contenders;
    for (const Setting& setting : settings()) contenders.push_back(&ours.emplace_back(setting, question, steps));
    if (question == Question::first_triangle || question == Question::triangles)
      for (PeerSteps& peer : built_)
        if (std::ranges::find(broken_, peer.name()) == broken_.end()) contenders.push_back(&peer);
    const Query query = query_of(question);
    const auto trials = pairs::run_series(contenders, {.query = query,
                                                       .steps = steps.spread.size(),
                                                       .warm_up = k_warm_up,
                                                       .budget_s = budget(),
                                                       .least = options_.quick ? std::size_t{2} : std::size_t{5}});
    ++series_done_;
    for (const pairs::Trial& trial : trials) add(s, question, trial);
    for (const pairs::Comparison& d : pairs::compared(query, trials))
      if (d.steps > 0)
        results.remarks.push_back(std::string(k_scenes[s]) + ", " + std::string(to_string(question)) + ": " + d.engine +
                                  " differs from " + d.judge + " at " + std::to_string(d.steps) + " of " +
                                  std::to_string(d.of) + " steps (" + std::to_string(d.count) + " against " +
                                  std::to_string(d.judge_count) + " in all)");
  }

  std::size_t scenes_wanted() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(k_scenes, [&](std::string_view scene) { return options_.wants(scene); }));
  }

  double elapsed_s() const { return 1e-6 * (pairs::wall_us() - start_us_); }

  /// A quick run shares out what is left of its time.
  double budget() const {
    if (options_.budget_s || !options_.quick) return options_.budget_s.value_or(k_budget_s);
    const double left = k_quick_s - elapsed_s();
    return std::max(0.0, left / static_cast<double>(k_questions.size() * scenes_wanted() - series_done_));
  }

  void add(std::size_t s, Question question, const pairs::Trial& trial) {
    if (!trial.broke.empty()) {
      results.remarks.push_back(std::string(k_scenes[s]) + ", " + std::string(to_string(question)) + ": " +
                                trial.engine + " " + trial.broke);
      broken_.push_back(trial.engine);
      return;
    }
    SceneResult& out = scenes_out[s];
    out.times[{question, trial.engine}] = {1e-3 * trial.mean_us(), 1e-3 * median(trial.us), trial.us.size()};
    std::uint64_t answers = 0;
    for (const pairs::Answer& answer : trial.answers) answers += answer.count;
    const double per_step =
        static_cast<double>(answers) / static_cast<double>(std::max<std::size_t>(trial.us.size(), 1));
    if (trial.engine == k_published && question == Question::surfaces) out.surface_pairs_per_step = per_step;
    if (trial.engine == k_published && question == Question::triangles) out.triangle_pairs_per_step = per_step;
    const Query query = query_of(question);
    results.rows.push_back({results.suite, std::string(k_scenes[s]), std::to_string(trial.us.size()) + " steps",
                            std::string(to_string(question)), trial.engine, 1, trial.mean_us(), trial.p99_us(),
                            pairs::answers_text(query, trial), pairs::hash_text(query, trial)});
  }

  /// At how many steps a peer finds parts that meet.
  std::string steps_met(PeerSteps& peer, const AssemblySteps& steps) {
    if (std::ranges::find(broken_, peer.name()) != broken_.end()) return "-";
    if (options_.quick && elapsed_s() > k_quick_last_s) {
      results.remarks.push_back("the steps at which " + peer.name() +
                                " finds parts to meet were left out for want of time");
      return "-";
    }
    std::size_t met = 0;
    const auto ask = [&] {
      for (std::size_t k = 0; k < steps.steps.size(); ++k) met += peer.meets(k) ? 1 : 0;
    };
    std::string broke;
    if (peer.fragile())
      broke = pairs::guarded(ask);
    else
      ask();
    return broke.empty() ? std::to_string(met) : "-";
  }

  void count(std::size_t s, const AssemblySteps& steps) {
    const std::size_t steps_counted = std::min(steps.spread.size(), options_.quick ? k_quick_count : k_count);
    for (const Question question : {Question::first_surface, Question::surfaces, Question::triangles})
      for (const Setting& setting : settings())
        scenes_out[s].counts[{question, std::string(setting.name)}] =
            OurSteps(setting, question, steps).counts(steps_counted);
  }

  const Options& options_;
  double start_us_;
  std::size_t series_done_ = 0;
  std::vector<const Engine*> peers_;
  std::deque<PeerSteps> built_;
  std::vector<std::string> broken_;
};

}  // namespace
}  // namespace figueiredo

int run_figueiredo(int argc, char** argv) {
  const figueiredo::Options options = figueiredo::parse(argc, argv);
  figueiredo::Run run(options);
  for (std::size_t s = 0; s < figueiredo::k_scenes.size(); ++s)
    if (options.wants(figueiredo::k_scenes[s])) run.measure(s);
  std::string text = options.json ? json_text(run.results) : tables_text(run.scenes_out, run.peer_names);
  if (!options.json)
    for (const std::string& remark : run.results.remarks) text += '\n' + remark;
  if (!options.json) text += '\n';
  std::fputs(text.c_str(), stdout);
  bool written = std::fflush(stdout) == 0;
  if (!options.csv.empty()) written = write_text(options.csv, csv_text(run.results)) && written;
  if (!options.counts.empty()) written = write_text(options.counts, counts_text(run.scenes_out)) && written;
  return written ? 0 : 5;
}

}  // namespace snug::bench
