#pragma once

#include <chrono>
#include <ctime>

namespace snug::bench::pairs {

inline double wall_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double thread_cpu_us() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

/// What reading the steady clock twice in a row costs, which is taken off each time.
inline double clock_cost_us() {
  static const double cost = [] {
    double least = 1e9;
    for (int i = 0; i < 2000; ++i) {
      const double start = wall_us(), passed = wall_us() - start;
      least = passed < least ? passed : least;
    }
    return least;
  }();
  return cost;
}

}  // namespace snug::bench::pairs
