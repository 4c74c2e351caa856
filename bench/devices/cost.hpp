#pragma once

#include "device/opencl_set.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace snug::bench::devices {

/// What a step cost devices, by their clocks, the least of several rounds; and what was moved.
struct Cost {
  std::size_t devices = 0;
  double slowest = 0;                    ///< seconds of kernels on the device that took longest, of the best round
  std::map<std::string, double> single;  ///< seconds of each kernel, of all devices
  double transfer = 0;
  std::uint64_t bytes = 0, transfers = 0;

  void add_to(Cost& sum) const {
    for (const auto& [name, seconds] : single) sum.single[name] += seconds;
    sum.transfer += transfer, sum.bytes += bytes, sum.transfers += transfers;
  }
};

template <class Work>
Cost cost_of(const device::OpenClSet& set, int rounds, Work&& work) {
  constexpr double k_never = std::numeric_limits<double>::infinity();
  Cost cost;
  cost.devices = set.times().size();
  cost.slowest = cost.transfer = k_never;
  for (int round = 0; round < rounds; ++round) {
    const auto before = set.times();
    work();
    const auto after = set.times();
    if (after.size() != before.size()) continue;
    std::map<std::string, double> single;
    double transfer = 0, slowest = 0;
    cost.bytes = cost.transfers = 0;
    for (std::size_t d = 0; d < after.size(); ++d) {
      double kernels = 0;
      for (const auto& [name, seconds] : after[d].kernels) {
        const auto known = before[d].kernels.find(name);
        const double now = seconds - (known != before[d].kernels.end() ? known->second : 0);
        kernels += now, single[name] += now;
      }
      // Of this round: the next may divide the work otherwise, so that each device had the lighter part once.
      slowest = std::max(slowest, kernels);
      transfer += after[d].to_device + after[d].to_host - before[d].to_device - before[d].to_host;
      cost.bytes +=
          after[d].bytes_to_device + after[d].bytes_to_host - before[d].bytes_to_device - before[d].bytes_to_host;
      cost.transfers += after[d].transfers - before[d].transfers;
    }
    cost.slowest = std::min(cost.slowest, slowest);
    cost.transfer = std::min(cost.transfer, transfer);
    for (const auto& [name, seconds] : single) {
      const auto least = cost.single.try_emplace(name, seconds).first;
      least->second = std::min(least->second, seconds);
    }
  }
  return cost;
}

}  // namespace snug::bench::devices
