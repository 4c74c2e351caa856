// The figures of the chip, in clocks of its cycle model: the same on every machine.

#include "bench/raabe/chip_bench.hpp"

#include <tuple>

namespace snug::bench::raabe {

namespace {
using ChipRows = std::vector<std::vector<std::string>>;
}

void chip_widths(Run& run) {
  const ChipBench bench(headlight(), chip_poses(headlight(), run.either(6, 1)));
  ChipRows rows{{"W", "bursts of a record", "clocks", "us at 100 MHz", "pairs of nodes", "pairs of leaves"}};
  for (const unsigned width : {8U, 9U, 10U, 12U, 14U, 16U, 17U, 18U, 19U, 20U, 24U, 28U, 32U, 35U, 38U, 40U, 41U}) {
    const auto means = bench.means(search_of(width, 24, false));
    rows.push_back({std::to_string(width), std::to_string(chip::configuration_of_width(width).record_bursts()),
                    whole(means.clocks), short_number(means.us()), whole(means.dop_tests),
                    whole(means.triangle_tests)});
    run.count("chip-fig3", "chip", std::to_string(width), means.us());
  }
  run.table("DATE Fig. 3: time over the width of words, 24 axes", rows);
}

void chip_axes(Run& run) {
  const ChipBench bench(headlight(), chip_poses(headlight(), run.either(6, 1)));
  ChipRows rows{
      {"n", "w18 us", "w35 us", "w35, 20 clocks a pair", "w18 going on", "w35 going on", "w35, 20 clocks, going on"}};
  const std::vector<unsigned> tried =
      run.options.quick ? std::vector<unsigned>{4, 8, 12, 16, 20, 24, 32}
                        : std::vector<unsigned>{4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32, 40, 48};
  for (const unsigned axes : tried) {
    std::vector<std::string> row{std::to_string(axes)};
    for (const bool go_on : {false, true})
      for (const auto& [name, width, steady] : {std::tuple{"w18", 18U, 0U}, {"w35", 35U, 0U}, {"w35 even", 35U, 2U}}) {
        const double us = bench.means(search_of(width, axes, go_on), steady).us();
        row.push_back(short_number(us));
        run.count(go_on ? "chip-fig7" : "chip-fig6", go_on ? std::string(name) + " going on" : name,
                  std::to_string(axes), us);
        if (!go_on) run.count("chip-fig7", name, std::to_string(axes), us);
      }
    rows.push_back(std::move(row));
  }
  run.table("WSCG Figs. 6 and 7: microseconds over the number of axes, without and with testing on while loading",
            rows);
}

void chip_schedules(Run& run) {
  const ChipBench bench(headlight(), chip_poses(headlight(), run.either(6, 1)));
  ChipRows rows{{"control", "clocks", "entries at most", "bytes at most"}};
  for (const bool queue : {false, true}) {
    chip::ChipSearch search = search_of(18, 24, true);
    search.structure.queue = queue;
    const auto means = bench.means(search);
    rows.push_back(
        {queue ? "queue" : "stack", whole(means.clocks), whole(means.most_waiting), whole(17 * means.most_waiting)});
    run.count("chip-schedule", queue ? "queue" : "stack", "entries", means.most_waiting);
  }
  run.table("DATE 4.2: stack and queue, W = 18", rows);
}

void chip_rotations(Run& run) {
  const Scene scene = headlight();
  ChipRows rows{
      {"turned by", "chip w18 us", "least", "most", "chip w35 us", "pairs of nodes", "pairs of leaves", "candidates"}};
  for (const int degrees : {0, 15, 30, 60, 90, 120, 150, 180}) {
    const ChipBench bench(scene, turned_poses(scene, degrees, run.either(24, 2)));
    const auto narrow = bench.means(search_of(18, 24, true)), wide = bench.means(search_of(35, 24, true));
    rows.push_back({std::to_string(degrees), short_number(narrow.us()), short_number(narrow.least_us),
                    short_number(narrow.most_us), short_number(wide.us()), whole(wide.dop_tests),
                    whole(wide.triangle_tests), whole(wide.hits)});
    run.count("chip-rotation", "chip w18", "r=" + std::to_string(degrees), narrow.us());
    run.count("chip-rotation", "chip w35", "r=" + std::to_string(degrees), wide.us());
  }
  run.table("Two headlights 0.4 of their reach apart, one turned against the other", rows);
}

}  // namespace snug::bench::raabe
