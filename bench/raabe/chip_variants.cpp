// What the papers leave open, in the cycle model.

#include "bench/raabe/chip_bench.hpp"

namespace snug::bench::raabe {

namespace {
using VariantRows = std::vector<std::vector<std::string>>;
}

void chip_variants(Run& run) {
  const ChipBench bench(headlight(), chip_poses(headlight(), run.either(6, 1)));
  VariantRows rows{{"variant", "us", "speed-up", "pairs of nodes", "axes tried", "bursts", "no test: loading", "slices",
                    "queries/s/slice"}};
  for (const unsigned width : {18U, 35U}) {
    double first = 0;
    const auto add = [&](const std::string& name, const chip::ChipSearch& search, bool known_area = true) {
      const ChipVariant v = measured(run, bench, "chip-variants", name, search);
      if (first == 0) first = v.means.us();
      rows.push_back({"w" + std::to_string(width) + ", " + name, short_number(v.means.us()),
                      short_number(first / v.means.us()), whole(v.means.dop_tests), whole(v.means.axis_tests),
                      whole(v.means.bursts), short_number(100 * v.means.waits_memory / v.means.clocks) + " %",
                      known_area ? whole(v.area().least()) + " … " + whole(v.area().most()) : "-",
                      known_area ? v.rates() : "-"});
      return v.means.us();
    };
    add("as published", search_of(width, 24, false));
    const auto count_pipes = [&](unsigned pipes, double us) {
      if (pipes <= 8) run.count("chip-pipes", "w" + std::to_string(width), std::to_string(pipes), us);
    };
    count_pipes(1, add("testing on", search_of(width, 24, true)));
    add("12 axes and testing on", search_of(width, 12, true));
    for (const unsigned pipes : {2U, 3U, 4U, 8U, 24U}) {
      chip::ChipSearch search = search_of(width, 24, true);
      search.structure.pipes = pipes;
      count_pipes(pipes, add(std::to_string(pipes) + " pipes", search));
    }
    for (const unsigned records : {1U, 16U, 64U, 256U}) {
      chip::ChipSearch search = search_of(width, 24, true);
      search.structure.cached_records = records;
      add("cache of 2 x " + std::to_string(records) + " records", search);
    }
    chip::ChipSearch few = search_of(width, 12, true);
    few.structure.cached_records = 64;
    add("12 axes and cache of 2 x 64", few);
    chip::ChipSearch both = search_of(width, 24, true);
    both.structure.cached_records = 256, both.structure.pipes = 4;
    add("4 pipes and cache of 2 x 256", both);
    chip::ChipSearch leaves = search_of(width, 16, true);
    leaves.structure.axes_of_leaves = 40;
    add("16 axes but 40 on leaves", leaves);
    chip::ChipSearch quick = search_of(width, 24, true);
    quick.structure.triangle_units = 2;
    add("2 triangle units", quick);
    quick.structure.triangle_units = 1, quick.structure.triangle_clocks = 8;
    add("triangle unit in 8 clocks", quick, false);
  }
  run.table("Beyond: variants in the cycle model; slices of the whole chip, perfectly packed and not at all", rows);

  VariantRows shared{{"chips on one memory", "w18: us a query", "speed-up", "w35: us a query", "speed-up"}};
  double first[2] = {0, 0};
  // Quickly there are four queries: more chips would have nothing to do.
  for (const unsigned chips :
       run.options.quick ? std::vector<unsigned>{1, 2} : std::vector<unsigned>{1, 2, 3, 4, 6, 8}) {
    std::vector<std::string> row{std::to_string(chips)};
    for (const unsigned width : {18U, 35U}) {
      const double us = 1e6 * bench.clocks_side_by_side(search_of(width, 24, true), chips) / k_chip_hz;
      double& one = first[width == 18 ? 0 : 1];
      if (chips == 1) one = us;
      row.push_back(short_number(us));
      row.push_back(short_number(one / us));
      run.count("chip-chips", "w" + std::to_string(width), std::to_string(chips), us);
    }
    shared.push_back(std::move(row));
  }
  run.table("Whole chips side by side, each with queries of its own", shared);
}

}  // namespace snug::bench::raabe
