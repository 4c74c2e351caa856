#include "bench/pairs/series.hpp"

#include "bench/pairs/clock.hpp"
#include "bench/pairs/guard.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace snug::bench::pairs {

namespace {

constexpr double k_block_us = 40;  // quick queries are timed in blocks of about that long
constexpr std::size_t k_largest_block = 16;
constexpr double k_slow_us = 5000;    // a query that long warms its caches itself
constexpr double k_preempted_us = 5;  // off the processor by at least that

/// Twice the largest cache we expect to meet.
constexpr std::size_t k_eviction_bytes = std::size_t{64} << 20;

void evict_caches() {
  static std::vector<std::uint64_t> junk(k_eviction_bytes / sizeof(std::uint64_t), 1);
  constexpr std::size_t line = 64 / sizeof(std::uint64_t);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < junk.size(); i += line) sum += junk[i]++;
  asm volatile("" : : "r"(sum) : "memory");
}

class Series {
 public:
  Series(const std::vector<Contender*>& contenders, const SeriesPlan& plan) : contenders_(contenders), plan_(plan) {
    for (const Contender* contender : contenders) {
      trials_.push_back({contender->name(), contender->trust(), {}, {}, {}});
      trials_.back().us.reserve(plan.steps), trials_.back().answers.reserve(plan.steps);
    }
    expected_us_.resize(contenders.size(), 0);
  }

  std::vector<Trial> run() {
    for (std::size_t k = 0; k < contenders_.size(); ++k) try_out(k);
    const std::size_t block = block_size();
    const double start = wall_us();
    std::size_t turn = 0;
    for (std::size_t first = 0; first < plan_.steps; first += block, ++turn) {
      if (first >= plan_.least && wall_us() - start > 1e6 * plan_.budget_s) break;
      const std::size_t last = std::min(first + block, plan_.steps);
      for (std::size_t k = 0; k < contenders_.size(); ++k) take_turn((k + turn) % contenders_.size(), first, last);
    }
    for (Trial& trial : trials_)
      if (!trial.broke.empty()) trial.us.clear(), trial.answers.clear();
    return std::move(trials_);
  }

 private:
  /// Also lets the engine grow what it keeps from query to query.
  void try_out(std::size_t k) {
    expected_us_[k] = k_slow_us;
    for (std::size_t i = 0; i < plan_.warm_up; ++i) {
      const double start = wall_us();
      under_guard(k, [&] {
        contenders_[k]->prepare(plan_.steps + i);
        contenders_[k]->run(plan_.query);
      });
      expected_us_[k] = std::min(expected_us_[k], wall_us() - start);
      if (expected_us_[k] >= k_slow_us) return;
    }
  }

  std::size_t block_size() const {
    if (plan_.caches == Caches::cold) return 1;
    double quickest = k_slow_us;
    for (const double us : expected_us_) quickest = std::min(quickest, us);
    const auto fits = static_cast<std::size_t>(std::ceil(k_block_us / std::max(quickest, 0.1)));
    return std::clamp<std::size_t>(fits, 1, k_largest_block);
  }

  void take_turn(std::size_t k, std::size_t first, std::size_t last) {
    if (!trials_[k].broke.empty()) return;
    if (plan_.caches == Caches::warm && plan_.warm_up > 0 && expected_us_[k] < k_slow_us)
      under_guard(k, [&] {
        contenders_[k]->prepare(plan_.steps + first % plan_.warm_up);
        contenders_[k]->run(plan_.query);
      });
    under_guard(k, [&] { time_block(k, first, last); });
  }

  void time_block(std::size_t k, std::size_t first, std::size_t last) {
    const std::size_t begin = trials_[k].us.size();
    const double cpu_start = thread_cpu_us(), wall_start = wall_us();
    for (std::size_t step = first; step < last; ++step) time_one(k, step, last - first == 1);
    if (last - first > 1) take_off(k, begin, (wall_us() - wall_start) - (thread_cpu_us() - cpu_start));
  }

  /// A look at the CPU clock is dear beside the quickest queries, so it frames only those that are not timed in blocks.
  void time_one(std::size_t k, std::size_t step, bool alone) {
    Contender& contender = *contenders_[k];
    contender.prepare(step);
    if (plan_.caches == Caches::cold) evict_caches();
    const double cpu_start = alone ? thread_cpu_us() : 0;
    const double start = wall_us();
    contender.run(plan_.query);
    double us = std::max(wall_us() - start - clock_cost_us(), 0.001);
    const double cpu = alone ? thread_cpu_us() - cpu_start : us;
    if (us > cpu + k_preempted_us) us = cpu;
    trials_[k].us.push_back(us);
    trials_[k].answers.push_back(contender.answer(plan_.query));
  }

  /// Time off the processor within a block fell on the query that stands out, if one does; else between queries.
  void take_off(std::size_t k, std::size_t begin, double off_us) {
    if (off_us < k_preempted_us) return;
    auto& us = trials_[k].us;
    const auto longest = std::max_element(us.begin() + static_cast<std::ptrdiff_t>(begin), us.end());
    if (*longest > 0.9 * off_us) *longest = std::max(*longest - off_us, 0.001);
  }

  template <class Work>
  void under_guard(std::size_t k, Work&& work) {
    if (!trials_[k].broke.empty()) return;
    if (contenders_[k]->fragile())
      trials_[k].broke = guarded(work);
    else
      work();
  }

  const std::vector<Contender*>& contenders_;
  const SeriesPlan& plan_;
  std::vector<Trial> trials_;
  std::vector<double> expected_us_;
};

}  // namespace

double Trial::mean_us() const {
  return us.empty() ? 0 : std::accumulate(us.begin(), us.end(), 0.0) / static_cast<double>(us.size());
}

double Trial::p99_us() const {
  if (us.empty()) return 0;
  std::vector<double> sorted = us;
  std::ranges::sort(sorted);
  return sorted[static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(sorted.size()))) - 1];
}

std::vector<Trial> run_series(const std::vector<Contender*>& contenders, const SeriesPlan& plan) {
  return Series(contenders, plan).run();
}

}  // namespace snug::bench::pairs
