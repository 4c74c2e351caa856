#pragma once

#include "bench/measure.hpp"
#include "bench/report/row.hpp"

#include <cstdint>
#include <string>
#include <vector>

// The parts of the suite. Each fills rows of one table: `part,scene,case,what,value`.

namespace snug::bench::lehericey {

struct Options {
  bool quick = false, json = false;
  std::string csv, svg;
  std::uint32_t bodies = 0, steps = 0;  ///< 0: the part's own
  std::vector<std::string> scenes;      ///< of the constants; none: all
};

struct Measured {
  std::string part, scene, of, what;
  double value = 0;
};
struct Rows {
  std::vector<Measured> all;
  std::vector<Row> over_time;  ///< times along a simulation, for pictures
  std::vector<Bar> bars;

  void push_back(Measured row) { all.push_back(std::move(row)); }
  /// `smaller`: the measured value is to be no larger than the one asked for, else no smaller.
  void bar(const std::string& what, double measured, double asked, const std::string& unit, bool smaller = false) {
    using State = Bar::State;
    bars.push_back({what, (smaller ? "at most " : "at least ") + short_number(asked) + unit,
                    short_number(measured) + unit,
                    (smaller ? measured <= asked : measured >= asked) ? State::met : State::missed});
  }
  /// A bar of which there was nothing to measure.
  void no_bar(const std::string& what, double asked, const std::string& unit, bool smaller = false) {
    bars.push_back(
        {what, (smaller ? "at most " : "at least ") + short_number(asked) + unit, "-", Bar::State::not_measured});
  }
};

/// Prints a table under its title, unless all goes into one document.
void show(const Options& options, const Table& table, const std::string& title);

/// Table 1: how far the reaction of the ground is from upright.
void deviation(const Options& options, Rows& rows);
#ifdef SNUG_BENCH_HEADLESS
/// Figures 9 to 12: erroneous rays and times, on the poses of one recorded simulation.
void recorded(const Options& options, Rows& rows);
/// Table 2, and what predictions gain: how long the rays of whole simulations are, by which rays and directions they ran with.
void lengths(const Options& options, Rows& rows);
/// The narrow phase beside Bullet's own for concave meshes.
void gimpact(const Options& options, Rows& rows);
/// The automatic constants beside a grid of given ones, on recorded poses.
void constants(const Options& options, Rows& rows);
/// Steps a second of the avalanche while piled, by how many bodies, beside Bullet's own narrow phase.
void realtime(const Options& options, Rows& rows);
#endif

}  // namespace snug::bench::lehericey
