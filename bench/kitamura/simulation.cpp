#include "bench/kitamura/simulation.hpp"

#include "bench/measure.hpp"
#include "bench/pairs/clock.hpp"
#include "ccd/sweep/face_octree.hpp"
#include "ccd/sweep/swept_hull.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <numeric>

namespace snug::bench::kitamura {

namespace {

using namespace snug::ccd::sweep;

constexpr std::size_t k_flowing_portion = 32, k_stealing_portion = 16;  // as in src/ccd/sweep

/// Least time of many rounds, in microseconds.
template <class F>
double least_us(int rounds, int repeats, const F& f) {
  double least = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const double start = pairs::wall_us();
    for (int i = 0; i < repeats; ++i) f();
    least = std::min(least, (pairs::wall_us() - start) / repeats);
  }
  return least;
}

double hand_over_us() {
  std::mutex mutex;
  std::condition_variable arrived;
  std::vector<std::vector<FacePair>> waiting;
  std::vector<FacePair> portion(k_flowing_portion);
  return least_us(20, 500,
                  [&] {
                    {
                      const std::scoped_lock lock(mutex);
                      waiting.push_back(std::move(portion));
                    }
                    arrived.notify_one();
                    portion.clear();
                    portion.reserve(k_flowing_portion);
                    const std::scoped_lock lock(mutex);
                    keep(waiting.back().size());
                    waiting.pop_back();
                  }) /
         2;
}

double sum(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Every N-th pair.
double fixed_us(const Costs& c, unsigned threads) {
  double longest = 0;
  for (unsigned k = 0; k < threads; ++k) {
    double own = 0;
    for (std::size_t i = k; i < c.pair.size(); i += threads) own += c.pair[i];
    longest = std::max(longest, own);
  }
  return c.before + c.listing + longest;
}

/// Thread 0 lists pairs and hands over portions; whoever is free first takes the next one that is there. One at a time may reach into
/// what is shared.
double flowing_us(const Costs& c, unsigned threads) {
  std::vector<double> free_at(threads, 0.0);
  const double by_pair = c.pair.empty() ? 0 : c.listing / static_cast<double>(c.pair.size());
  struct Portion {
    double ready, work;
  };
  std::vector<Portion> portions;
  double listed = 0;
  for (std::size_t i = 0; i < c.pair.size(); i += k_flowing_portion) {
    const std::size_t end = std::min(c.pair.size(), i + k_flowing_portion);
    listed += static_cast<double>(end - i) * by_pair + c.hand_over;
    portions.push_back({listed, sum(std::span(c.pair).subspan(i, end - i))});
  }
  free_at[0] = std::max(listed, c.listing);
  double shared_free_at = 0;
  for (const Portion& portion : portions) {
    const auto first = std::ranges::min_element(free_at);
    const double taken = std::max({*first, portion.ready, shared_free_at}) + c.hand_over;
    shared_free_at = taken;
    *first = taken + portion.work;
  }
  return c.before + *std::ranges::max_element(free_at);
}

/// Equal parts of the list; who is done takes the later half of the largest part left.
double stealing_us(const Costs& c, unsigned threads) {
  std::vector<double> portions;
  for (std::size_t i = 0; i < c.pair.size(); i += k_stealing_portion)
    portions.push_back(sum(std::span(c.pair).subspan(i, std::min(c.pair.size() - i, k_stealing_portion))));
  struct Part {
    std::size_t begin, end;
    double at = 0;
  };
  std::vector<Part> parts;
  for (std::size_t k = 0; k < threads; ++k)
    parts.push_back({portions.size() * k / threads, portions.size() * (k + 1) / threads});
  std::size_t left = portions.size();
  double done = 0;
  while (left > 0) {
    Part& next = *std::ranges::min_element(parts, {}, &Part::at);
    if (next.begin == next.end) {
      Part& most = *std::ranges::max_element(parts, {}, [](const Part& p) { return p.end - p.begin; });
      const std::size_t from = most.end - (most.end - most.begin + 1) / 2;
      next.begin = from, next.end = most.end, most.end = from;
      next.at += c.hand_over;  // and begins at once, before anybody takes it away again
    }
    next.at += portions[next.begin++];
    done = std::max(done, next.at);
    --left;
  }
  return c.before + c.listing + done;
}

}  // namespace

Costs measure_costs(std::span<const SweepBody> bodies, const SweepStats& measured, double total_us) {
  const auto regions = overlap_regions(bodies);
  const std::vector<SweptFace> faces = faces_in_regions(bodies, regions);
  const double deviation = (bodies[0].deviation + bodies[1].deviation) * (1 + 0x1p-50);
  Costs costs;
  visit_face_pairs(faces, SweepOptions{}.octree_depth, [&](FacePair pair) {
    const SweptFace &fa = faces[pair.a], &fb = faces[pair.b];
    costs.pair.push_back(least_us(5, 16, [&] {
      keep(hulls_apart(moving_triangle(bodies[fa.body], fa.triangle), moving_triangle(bodies[fb.body], fb.triangle),
                       deviation));
    }));
  });
  const double scale = measured.step_us[3] / std::max(1e-9, sum(costs.pair));
  for (double& us : costs.pair) us *= scale;
  costs.listing = measured.step_us[2];
  costs.before = total_us - measured.step_us[2] - measured.step_us[3];
  costs.hand_over = hand_over_us();
  costs.start = least_us(50, 1, [] { support::for_each_chunk(2, 2, [](std::size_t) {}); });
  return costs;
}

double simulate(const Costs& costs, SweepSchedule schedule, unsigned threads) {
  switch (schedule) {
    case SweepSchedule::flowing:
      return flowing_us(costs, threads);
    case SweepSchedule::stealing:
      return stealing_us(costs, threads);
    case SweepSchedule::fixed:
      break;
  }
  return fixed_us(costs, threads);
}

double ideal(const Costs& costs, unsigned threads) { return costs.before + costs.listing + sum(costs.pair) / threads; }

}  // namespace snug::bench::kitamura
