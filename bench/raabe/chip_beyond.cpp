// Beyond the papers: relative coefficients, n for each level, quadrangles, and one burst against two.

#include "bench/raabe/chip_bench.hpp"
#include "chip/relative.hpp"

#include <algorithm>

namespace snug::bench::raabe {

namespace {

using BeyondRows = std::vector<std::vector<std::string>>;

std::string ratio(double a, double b) { return short_number(b > 0 ? a / b : 0); }

/// Entries as a whole; with records of children relative to their parent if q is not 0.
chip::ChipSearch whole_entries(unsigned width, unsigned q, unsigned pipes = 1) {
  chip::ChipSearch search = search_of(width, 24, true);
  search.structure.whole_entries = true;
  search.structure.relative_bits = q;
  search.structure.pipes = pipes;
  return search;
}

/// n for every level, found by trying: those of a few levels at a time, the others as they are, once through.
std::vector<unsigned> chosen_axes(const ChipBench& training, chip::ChipSearch search, unsigned levels, unsigned at_once,
                                  std::span<const unsigned> candidates) {
  auto& axes = search.structure.axes_of_level;
  const auto clocks = [&] { return training.means(search).clocks; };
  double least = 0;
  for (const unsigned n : candidates) {
    const std::vector<unsigned> before = std::exchange(axes, std::vector<unsigned>(levels, n));
    if (const double now = clocks(); before.empty() || now < least)
      least = now;
    else
      axes = before;
  }
  for (unsigned first = 0; first < levels; first += at_once)
    for (const unsigned n : candidates) {
      const std::vector<unsigned> before = axes;
      for (unsigned level = first; level < std::min(first + at_once, levels); ++level) axes[level] = n;
      if (axes == before) continue;
      if (const double now = clocks(); now < least)
        least = now;
      else
        axes = before;
    }
  return axes;
}

}  // namespace

void chip_relative(Run& run) {
  const ChipBench bench(headlight(), chip_poses(headlight(), run.either(6, 1)));
  BeyondRows rows{{"records", "us", "times as fast", "pairs of nodes", "pairs of leaves", "candidates", "bursts",
                   "no test: loading", "most entries", "queries/s/slice"}};
  for (const unsigned width : {18U, 35U}) {
    double first = 0;
    const auto add = [&](const std::string& name, const chip::ChipSearch& search) {
      const ChipVariant v = measured(run, bench, "chip-relative", name, search);
      if (first == 0) first = v.means.us();
      rows.push_back({"w" + std::to_string(width) + ", " + name, short_number(v.means.us()), ratio(first, v.means.us()),
                      whole(v.means.dop_tests), whole(v.means.triangle_tests), whole(v.means.hits),
                      whole(v.means.bursts), short_number(100 * v.means.waits_memory / v.means.clocks) + " %",
                      whole(v.means.most_waiting), v.rates()});
      return v.means.us();
    };
    add("as they are", search_of(width, 24, true));
    add("entries as a whole", whole_entries(width, 0));
    for (const unsigned q :
         run.options.quick ? std::vector<unsigned>{5, 9} : std::vector<unsigned>{3, 4, 5, 6, 7, 8, 9, 12, 19}) {
      const double us = add(std::to_string(q) + " bits", whole_entries(width, q));
      run.count("chip-relative-bits", "w" + std::to_string(width), std::to_string(q), us);
    }
    for (const unsigned pipes : {2U, 3U, 4U})
      add("9 bits, " + std::to_string(pipes) + " pipes", whole_entries(width, 9, pipes));
    chip::ChipSearch more = whole_entries(width, 9, 2);
    more.structure.triangle_units = 2;
    add("9 bits, 2 pipes, 2 triangle units", more);
    more.structure.pipes = more.structure.triangle_units = 4;
    add("9 bits, 4 pipes, 4 triangle units", more);
  }
  run.table("Coefficients relative to the parent's, both children in one record; 24 axes, testing on", rows);

  BeyondRows shared{
      {"chips on one memory", "w18, 9 bits: us a query", "times as fast", "w35, 9 bits: us a query", "times as fast"}};
  double one[2] = {0, 0};
  for (const unsigned chips :
       run.options.quick ? std::vector<unsigned>{1, 2} : std::vector<unsigned>{1, 2, 3, 4, 6, 8}) {
    std::vector<std::string> row{std::to_string(chips)};
    for (const unsigned width : {18U, 35U}) {
      const double us = 1e6 / k_chip_hz * bench.clocks_side_by_side(whole_entries(width, 9), chips);
      double& first = one[width == 18 ? 0 : 1];
      if (chips == 1) first = us;
      row.push_back(short_number(us)), row.push_back(ratio(first, us));
      run.count("chip-chips", "w" + std::to_string(width) + ", 9 bits", std::to_string(chips), us);
    }
    shared.push_back(std::move(row));
  }
  run.table("Whole chips with relative coefficients side by side", shared);
}

void chip_levels(Run& run) {
  const Scene scene = headlight();
  const ChipBench bench(scene, chip_poses(scene, run.either(6, 1)));
  // n is chosen at other poses than it is measured at.
  std::vector<pairs::PosePair> others;
  for (const double distance : {0.0, 0.3, 0.6, 0.9})
    for (const pairs::PosePair& pose : random_poses(scene, distance, 1, 97)) others.push_back(pose);
  const ChipBench training(scene, others);
  const unsigned levels = bvh::build_dop_tree(scene.mesh).depth;
  const std::vector<unsigned> candidates =
      run.options.quick ? std::vector<unsigned>{12, 20} : std::vector<unsigned>{8, 12, 16, 18, 20, 22, 24, 32};
  BeyondRows rows{{"n", "us", "pairs of nodes", "axes tried", "bursts"}};
  for (const unsigned width : {18U, 35U}) {
    const std::string words = "w" + std::to_string(width) + ", ";
    const auto add = [&](const std::string& name, const chip::ChipSearch& search) {
      const ChipVariant v = measured(run, bench, "chip-levels", name, search);
      rows.push_back({words + name, short_number(v.means.us()), whole(v.means.dop_tests), whole(v.means.axis_tests),
                      whole(v.means.bursts)});
    };
    for (const bool go_on : {false, true}) {
      const std::string how = go_on ? ", testing on" : "";
      chip::ChipSearch search = search_of(width, 64, go_on);
      if (!go_on || !run.options.quick)
        search.structure.axes_of_level = chosen_axes(training, search, levels, run.options.quick ? 8 : 2, candidates);
      chip::ChipSearch uniform = search;
      if (!search.structure.axes_of_level.empty()) {
        std::string list;
        for (unsigned level = 0; level < levels; ++level) {
          list += (level == 0 ? "" : " ") + std::to_string(search.structure.axes_of_level[level]);
          run.count("chip-n", words + (go_on ? "testing on" : "n and no more"), std::to_string(level),
                    search.structure.axes_of_level[level]);
        }
        run.text += words + "n by level" + how + ": " + list + '\n';
      }
      for (const unsigned n : {16U, 22U, 24U}) {
        uniform.structure.axes_of_level.assign(1, n);
        add(std::to_string(n) + " for all" + how, uniform);
      }
      if (!search.structure.axes_of_level.empty()) add("by level" + how, search);
    }
  }
  run.table("n for each level, chosen at other poses", rows);
}

void chip_quads(Run& run) {
  const Scene scene = headlight();
  const ChipBench bench(scene, chip_poses(scene, run.either(6, 1)));
  const bvh::QuadTree quads = bvh::build_quad_tree(scene.mesh);
  const auto alone = std::ranges::count_if(quads.leaves, &bvh::Quad::alone);
  run.text += std::to_string(scene.mesh.triangles().size()) + " triangles in " + std::to_string(quads.leaves.size()) +
              " leaves, " + std::to_string(alone) + " of them alone\n";
  BeyondRows rows{{"leaves", "us", "times as fast", "pairs of nodes", "pairs of triangles tested", "candidates",
                   "bursts", "queries/s/slice"}};
  for (const unsigned width : {18U, 35U})
    for (const unsigned units : run.options.quick ? std::vector<unsigned>{1, 4} : std::vector<unsigned>{1, 2, 4, 8}) {
      double first = 0;
      for (const bool quadrangles : {false, true}) {
        chip::ChipSearch search = search_of(width, 24, true);
        search.structure.quadrangles = quadrangles;
        search.structure.triangle_units = units;
        const std::string name = std::string(quadrangles ? "quadrangles" : "triangles") + ", " + std::to_string(units) +
                                 (units == 1 ? " unit" : " units");
        const ChipVariant v = measured(run, bench, "chip-quads", name, search);
        if (first == 0) first = v.means.us();
        rows.push_back({"w" + std::to_string(width) + ", " + name, short_number(v.means.us()),
                        ratio(first, v.means.us()), whole(v.means.dop_tests), whole(v.means.triangle_tests),
                        whole(v.means.hits), whole(v.means.bursts), v.rates()});
        run.count("chip-units", "w" + std::to_string(width) + (quadrangles ? " quadrangles" : " triangles"),
                  std::to_string(units), v.means.us());
      }
    }
  run.table("Leaves of triangles and of quadrangles, over triangle units", rows);
}

void chip_bursts(Run& run) {
  const ChipBench bench(headlight(), chip_poses(headlight(), run.either(6, 1)));
  BeyondRows rows{{"", "w18, one burst", "w35, two bursts", "w18 over w35"}};
  chip::ChipSearch narrow = search_of(18, 24, true), wide = search_of(35, 24, true);
  const ChipVariant a = measured(run, bench, "chip-bursts", "one chip", narrow);
  const ChipVariant b = measured(run, bench, "chip-bursts", "one chip", wide);
  const double poses = 4 * static_cast<double>(run.either(6, 1));
  const auto add = [&](const std::string& what, double of_narrow, double of_wide) {
    rows.push_back({what, short_number(of_narrow), short_number(of_wide), ratio(of_narrow, of_wide)});
  };
  add("us", a.means.us(), b.means.us());
  add("us, as published: 24 axes and no more", bench.means(search_of(18, 24, false)).us(),
      bench.means(search_of(35, 24, false)).us());
  add("pairs of nodes", a.means.dop_tests, b.means.dop_tests);
  add("bursts", a.means.bursts, b.means.bursts);
  add("candidates", a.means.hits, b.means.hits);
  add("candidates for each pair that meets", a.means.hits * poses / static_cast<double>(a.means.met),
      b.means.hits * poses / static_cast<double>(b.means.met));
  add("slices at least", a.area().least(), b.area().least());
  add("slices at most", a.area().most(), b.area().most());
  add("multipliers", a.area().multipliers, b.area().multipliers);
  add("blocks of memory", a.area().blocks, b.area().blocks);
  add("queries/s/slice at least", a.least_rate(), b.least_rate());
  add("queries/s/slice at most", a.most_rate(), b.most_rate());
  for (const unsigned chips : run.options.quick ? std::vector<unsigned>{2} : std::vector<unsigned>{1, 2, 4})
    add("us a query, chips on one memory: " + std::to_string(chips),
        1e6 / k_chip_hz * bench.clocks_side_by_side(narrow, chips),
        1e6 / k_chip_hz * bench.clocks_side_by_side(wide, chips));
  run.table("One burst against two: words of 18 and of 35 bits", rows);

  // Bodies that nearly coincide: where words are too short to tell faces apart that lie side by side.
  BeyondRows parallel{{"moved by", "pairs that meet", "w18: candidates for each", "w35: candidates for each"}};
  for (const double part :
       run.options.quick ? std::vector<double>{0.1} : std::vector<double>{0.0001, 0.003, 0.03, 0.1}) {
    const Scene scene = headlight();
    const double by = part * scene.reach;
    const ChipBench close(scene, {{Pose{}, Pose::make({}, {by, 0.5 * by, 0.25 * by}).value()}});
    const auto of_narrow = close.means(narrow), of_wide = close.means(wide);
    const auto met = static_cast<double>(of_narrow.met);
    parallel.push_back({short_number(100 * part) + " % of the reach", whole(met), ratio(of_narrow.hits, met),
                        ratio(of_wide.hits, met)});
  }
  run.table("Two headlights that are not turned against each other", parallel);
}

}  // namespace snug::bench::raabe
