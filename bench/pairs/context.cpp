#include "bench/pairs/context.hpp"

#include "bench/pairs/answers.hpp"
#include "bench/pairs/clock.hpp"

#include <algorithm>
#include <cstdio>

namespace snug::bench::pairs {

namespace {

constexpr double k_quick_s = 22;           // leaves a few seconds for what is under way
constexpr double k_quick_budget_s = 0.15;  // for one query in one bucket

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
  for (const Comparison& found : compared(query, trials)) {
    Dispute& dispute = disputes_[scene + ' ' + query_name(query, caches) + ": " + found.engine];
    dispute.engine = found.engine, dispute.judge = found.judge, dispute.query = query;
    dispute.steps += found.steps, dispute.of += found.of;
    dispute.count += found.count, dispute.judge_count += found.judge_count;
    dispute.worst_relative = std::max(dispute.worst_relative, found.worst_relative);
  }
}

void Context::finish() {
  for (const auto& [where, dispute] : disputes_) {
    if (dispute.query == Query::distance && (dispute.engine == "snug" || dispute.judge == "snug")) {
      double& worst = figures["distance difference"];
      worst = std::max(worst, dispute.worst_relative);
    }
    if (dispute.steps == 0) continue;
    std::string text = where + " differs from " + dispute.judge + " at " + std::to_string(dispute.steps) + " of " +
                       std::to_string(dispute.of) + " poses";
    if (dispute.query == Query::distance) {
      char worst[64];
      std::snprintf(worst, sizeof worst, ", by at most %.2g relative", dispute.worst_relative);
      text += worst;
    } else {
      text += " (" + std::to_string(dispute.count) + (dispute.query == Query::all ? " pairs" : " hits") + " against " +
              std::to_string(dispute.judge_count) + ')';
    }
    remark(text);
  }
  if (left_out_.empty()) return;
  std::string text = "left out, since a quick run is short: ";
  for (std::size_t i = 0; i < left_out_.size(); ++i) text += (i == 0 ? "" : "; ") + left_out_[i];
  remark(text);
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

bool Context::out_of_time(const std::string& what, double share) {
  if (!options.quick || wall_us() - start_us_ < 1e6 * share * k_quick_s) return false;
  if (std::ranges::find(left_out_, what) == left_out_.end()) left_out_.push_back(what);
  return true;
}

std::size_t Context::poses(std::size_t usual, std::size_t quick) const {
  return options.poses.value_or(options.quick ? quick : usual);
}

}  // namespace snug::bench::pairs
