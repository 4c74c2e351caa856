// The variants of the chip by area, and the one with most queries a second for a slice.

#include "bench/raabe/chip_bench.hpp"

#include <algorithm>

namespace snug::bench::raabe {

namespace {

/// What is chosen.
struct Choice {
  unsigned axes = 24;
  std::size_t records = 0;  ///< of k_records
  unsigned pipes = 1, units = 1;
  bool quadrangles = false;
};
constexpr const char* k_records[] = {"no cache", "cache of 2 x 256", "entries as a whole",
                                     "entries as a whole and cache of 2 x 256", "9 bits relative and cache of 2 x 256"};

chip::ChipSearch search_for(unsigned width, const Choice& c) {
  chip::ChipSearch search = search_of(width, c.axes, true);
  chip::Structure& s = search.structure;
  s.pipes = c.pipes, s.triangle_units = c.units, s.quadrangles = c.quadrangles;
  s.cached_records = c.records == 1 || c.records >= 3 ? 256 : 0;
  s.whole_entries = c.records >= 2;
  s.relative_bits = c.records == 4 ? 9 : 0;
  return search;
}

std::string name_of(const Choice& c) {
  const auto count = [](unsigned n, const char* what) { return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s"); };
  return std::to_string(c.axes) + " axes, " + k_records[c.records] + ", " + count(c.pipes, "pipe") + ", " +
         count(c.units, "triangle unit") + (c.quadrangles ? ", quadrangles" : "");
}

/// All that are tried; quickly, a few of them.
std::vector<Choice> choices(bool quick) {
  std::vector<Choice> all;
  for (const unsigned axes : quick ? std::vector<unsigned>{16} : std::vector<unsigned>{12, 16, 20})
    for (std::size_t records = 0; records < (quick ? 2 : std::size(k_records)); ++records)
      for (const unsigned pipes : quick ? std::vector<unsigned>{1} : std::vector<unsigned>{1, 2, 3})
        for (const unsigned units : quick ? std::vector<unsigned>{1, 2} : std::vector<unsigned>{1, 2, 3, 4})
          for (const bool quadrangles : {false, true}) all.push_back({axes, records, pipes, units, quadrangles});
  return all;
}

/// By the middle of the interval: both ends move together but for what has more flip-flops than LUTs.
double rate_of(const ChipVariant& v) { return v.least_rate() + v.most_rate(); }

constexpr double k_few_candidates = 3;

struct Best {
  double rate = 0;
  std::string words = "none";
  void offer(const ChipVariant& v) {
    if (rate_of(v) <= rate) return;
    rate = rate_of(v);
    words = "w" + std::to_string(v.search.configuration.width) + ", " + v.name + ": " + v.rates();
  }
};

void sort_by_rate(std::vector<ChipVariant>& variants) {
  std::ranges::stable_sort(variants,
                           [](const ChipVariant& a, const ChipVariant& b) { return rate_of(a) > rate_of(b); });
}

}  // namespace

void chip_best(Run& run) {
  const ChipBench few(headlight(), chip_poses(headlight(), 1)),
      bench(headlight(), chip_poses(headlight(), run.either(6, 1)));
  std::vector<std::vector<std::string>> rows{
      {"variant", "us", "times as fast", "slices", "multipliers", "blocks", "candidates for each", "queries/s/slice"}};
  Best of_all, of_few;
  for (const unsigned width : {12U, 14U, 18U, 35U}) {
    std::vector<ChipVariant> tried;
    for (const Choice& choice : choices(run.options.quick)) {
      const chip::ChipSearch search = search_for(width, choice);
      tried.push_back({name_of(choice), search, few.means(search)});
    }
    sort_by_rate(tried);
    // The best at a few poses, at all of them.
    std::vector<ChipVariant> closer;
    for (std::size_t i = 0; i < run.either(8, 3); ++i)
      closer.push_back(measured(run, bench, "chip-best", tried[i].name, tried[i].search));
    sort_by_rate(closer);
    // The quickest too, whatever it takes.
    const ChipVariant& quickest =
        *std::ranges::min_element(tried, {}, [](const ChipVariant& v) { return v.means.clocks; });
    closer.push_back(measured(run, bench, "chip-best", quickest.name, quickest.search));
    closer.push_back(measured(run, bench, "chip-best", "the contract's chip, testing on", search_of(width, 24, true)));
    const double contract = closer.back().means.us();
    for (const ChipVariant& v : closer) {
      const ChipArea area = v.area();
      rows.push_back({"w" + std::to_string(width) + ", " + v.name, short_number(v.means.us()),
                      short_number(contract / v.means.us()), whole(area.least()) + " … " + whole(area.most()),
                      whole(area.multipliers), whole(area.blocks), short_number(v.means.candidates), v.rates()});
      of_all.offer(v);
      if (v.means.candidates <= k_few_candidates) of_few.offer(v);
    }
    run.text += "w" + std::to_string(width) + ": " + std::to_string(tried.size()) + " variants tried\n";
  }
  run.table(
      "Queries a second for a slice of the whole chip: the best of those tried, the quickest, and the contract's chip",
      rows);
  run.text += "Most queries a second for a slice: " + of_all.words + "\n";
  run.text += "With at most " + short_number(k_few_candidates) +
              " candidates for each pair that meets: " + of_few.words + "\n\n";
}

}  // namespace snug::bench::raabe
