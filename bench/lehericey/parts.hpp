#pragma once

#include "bench/measure.hpp"
#include "bench/report/row.hpp"

#include <cstdint>
#include <optional>
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
  /// `smaller`: the measured value is to be no larger than the one asked for, else no smaller. Without one there was nothing to
  /// measure: the bar says so, and is not met.
  void bar(const std::string& what, std::optional<double> measured, double asked, const std::string& unit,
           bool smaller = false) {
    using State = Bar::State;
    bars.push_back({what, (smaller ? "at most " : "at least ") + short_number(asked) + unit,
                    measured ? short_number(*measured) + unit : "-",
                    !measured                                             ? State::not_measured
                    : (smaller ? *measured <= asked : *measured >= asked) ? State::met
                                                                          : State::missed});
  }
};

/// None where there is nothing to hold it against.
inline std::optional<double> ratio_of(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}
/// By how much it is less than the whole, in percent; likewise.
inline std::optional<double> percent_less(double part, double whole) {
  return whole > 0 ? std::optional(100 * (1 - part / whole)) : std::nullopt;
}
inline double percent(std::uint64_t part, std::uint64_t whole) {
  return 100 * ratio_of(static_cast<double>(part), static_cast<double>(whole)).value_or(0);
}

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
