#pragma once

#include <cstdint>
#include <string>
#include <vector>

// The parts of the suite. Each fills rows of one table: `part,scene,case,what,value`.

namespace snug::bench::lehericey {

struct Options {
  bool quick = false;
  std::string csv, part;
  std::uint32_t bodies = 0, steps = 0;  ///< 0: the part's own
};

struct Measured {
  std::string part, scene, of, what;
  double value = 0;
};
using Rows = std::vector<Measured>;

/// Table 1: how far the reaction of the ground is from upright.
void deviation(const Options& options, Rows& rows);
#ifdef SNUG_BENCH_HEADLESS
/// Figures 9 to 12: erroneous rays and times, on the poses of one recorded simulation.
void recorded(const Options& options, Rows& rows);
/// Table 2, and what predictions gain: how long the rays of whole simulations are, by which rays and directions they ran with.
void lengths(const Options& options, Rows& rows);
/// The narrow phase beside Bullet's own for concave meshes.
void gimpact(const Options& options, Rows& rows);
#endif

}  // namespace snug::bench::lehericey
