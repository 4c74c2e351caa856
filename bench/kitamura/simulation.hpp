#pragma once

#include <snug/sweep.hpp>

#include <span>
#include <vector>

// What more threads than there are cores would take: schedules played through with measured costs.

namespace snug::bench::kitamura {

/// Microseconds.
struct Costs {
  double before = 0;         ///< steps 1 and 2, and what comes after the checks: one thread
  double listing = 0;        ///< step 3
  std::vector<double> pair;  ///< step 4, for each pair in the order of the list
  double hand_over = 0;      ///< a portion put into or taken from what threads share, under a lock
  double start = 0;          ///< of a thread; not in what is simulated, whose threads wait for work, as the paper's did
};

/// Of a step whose steps 1 to 3 and 4 took what `measured` says on one thread with schedule `fixed`. Single checks are timed one by
/// one and scaled so that they add up to step 4.
[[nodiscard]] Costs measure_costs(std::span<const SweepBody> bodies, const SweepStats& measured, double total_us);

/// The time of a step on so many threads, each with a core of its own, if memory cost nothing to share but the hand-overs.
[[nodiscard]] double simulate(const Costs& costs, SweepSchedule schedule, unsigned threads);

/// T_N of the paper's section 6.2.
[[nodiscard]] double ideal(const Costs& costs, unsigned threads);

}  // namespace snug::bench::kitamura
