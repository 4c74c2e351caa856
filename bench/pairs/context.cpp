#include "bench/pairs/context.hpp"

#include "bench/pairs/answers.hpp"
#include "bench/pairs/clock.hpp"

#include <algorithm>
#include <cstdio>

namespace snug::bench::pairs {

namespace {

constexpr double k_quick_s = 22;           // leaves a few seconds for what is under way
constexpr double k_quick_budget_s = 0.25;  // for one query in one bucket

std::string sentence(const std::string& where, Query query, const Disagreement& d) {
  std::string out = where + ": " + d.engine + " differs from " + d.judge + " at " + std::to_string(d.steps) + " of " +
                    std::to_string(d.of) + " poses";
  if (query == Query::distance) {
    char text[64];
    std::snprintf(text, sizeof text, ", by at most %.2g relative", d.worst_relative);
    return out + text;
  }
  return out + " (" + std::to_string(d.count) + (query == Query::all ? " pairs" : " hits") + " against " +
         std::to_string(d.judge_count) + ')';
}

}  // namespace

std::string query_name(Query query, Caches caches) {
  return std::string(to_string(query)) + (caches == Caches::cold ? "-cold" : "");
}

Context::Context(const Options& asked) : options(asked), start_us_(wall_us()) { results.suite = "pairs"; }

void Context::add_row(Row row) {
  row.suite = "pairs";
  results.rows.push_back(std::move(row));
}

void Context::add(const std::string& scene, const std::string& bucket, Query query, Caches caches,
                  const std::vector<Trial>& trials) {
  const std::string where = scene + ' ' + bucket + ' ' + query_name(query, caches);
  for (const Trial& trial : trials) {
    add_row({.suite = "",
             .scene = scene,
             .bucket = bucket,
             .query = query_name(query, caches),
             .engine = trial.engine,
             .mean_us = trial.mean_us(),
             .p99_us = trial.p99_us(),
             .answers = answers_text(query, trial),
             .hash = hash_text(query, trial)});
    if (!trial.broke.empty()) remark(where + ": " + trial.engine + ' ' + trial.broke);
  }
  for (const Disagreement& found : disagreements(query, trials)) {
    if (found.steps > 0) remark(sentence(where, query, found));
    if (query == Query::distance && (found.engine == "snug" || found.judge == "snug")) {
      double& worst = figures["distance difference"];
      worst = std::max(worst, found.worst_relative);
    }
  }
}

void Context::measure(const std::string& scene, const std::string& bucket, const std::vector<Contender*>& contenders,
                      SeriesPlan plan) {
  const std::string what = scene + ' ' + bucket + ' ' + query_name(plan.query, plan.caches);
  if (out_of_time(what)) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  plan.budget_s = options.quick ? k_quick_budget_s : options.budget_s;
  if (options.quick) plan.least = 2;
  add(scene, bucket, plan.query, plan.caches, run_series(contenders, plan));
}

bool Context::out_of_time(const std::string& what) {
  if (!options.quick || wall_us() - start_us_ < 1e6 * k_quick_s) return false;
  remark("left out, since a quick run is short: " + what);
  return true;
}

std::size_t Context::poses(std::size_t usual, std::size_t quick) const {
  return options.poses.value_or(options.quick ? quick : usual);
}

}  // namespace snug::bench::pairs
