// Calls sweep_step() by work stealing, the one function that oneTBB may be behind: what a package forgets to link shows here.
#include <snug/snug.hpp>

#include <array>
#include <cstdio>

int main() {
  const std::array<snug::Point3, 3> corners{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  const std::array<snug::Index3, 1> triangle{{{0, 1, 2}}};
  std::array<snug::Point3, 3> above = corners, below = corners;
  for (std::size_t i = 0; i < 3; ++i) above[i].z = 1, below[i].z = -1;
  const std::array<snug::SweepBody, 2> bodies{{{corners, corners, triangle}, {above, below, triangle}}};
  const auto pairs = snug::sweep_step(bodies, {.threads = 2, .schedule = snug::SweepSchedule::stealing});
  if (!pairs) return 1;
  std::printf("%zu pair meets\n", pairs->size());
  return pairs->size() == 1 && !snug::work_stealing().empty() ? 0 : 1;
}
