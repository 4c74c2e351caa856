#pragma once

#include "bench/pairs/clock.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace snug::bench::deform {

/// Median seconds of each contender over `rounds` in which they take turns, by the thread's CPU time: all run on one thread,
/// and what else the machine does is none of their business.
inline std::vector<double> in_turns(int rounds, const std::vector<std::function<void()>>& contenders) {
  std::vector<std::vector<double>> seconds(contenders.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < contenders.size(); ++k) {
      const std::size_t c = (k + static_cast<std::size_t>(round)) % contenders.size();
      const double start = pairs::thread_cpu_us();
      contenders[c]();
      seconds[c].push_back(1e-6 * (pairs::thread_cpu_us() - start));
    }
  std::vector<double> medians;
  for (auto& s : seconds) {
    std::ranges::sort(s);
    medians.push_back(s[s.size() / 2]);
  }
  return medians;
}

}  // namespace snug::bench::deform
