// What hard cases cost beside the ordinary case of the same query, in the same run: no more than ten times as much.
// usage: snug-bench hard [--csv FILE] [--quick]

#include "bench/measure.hpp"
#include "bench/suites.hpp"
#include "scenes/solids.hpp"

#include <snug/snug.hpp>

#include <functional>
#include <string>
#include <vector>

namespace {

using namespace snug;

constexpr double k_bar = 10;

/// Both return an answer; that of the hard case is shown, so that a wrong one is seen.
struct Case {
  std::string name, hard, ordinary;
  std::function<double()> run_hard, run_ordinary;
};

void run(bench::Table& table, const Case& which, int rounds) {
  double answer = which.run_hard(), sink = which.run_ordinary();
  const auto times =
      bench::interleaved(rounds, {[&] { answer = which.run_hard(); }, [&] { sink += which.run_ordinary(); }});
  bench::keep(sink);
  const double ratio = times[0] / times[1];
  table.row({which.name, which.hard, which.ordinary, bench::fixed(1e3 * times[0], 4), bench::fixed(1e3 * times[1], 4),
             bench::fixed(ratio, 2), ratio <= k_bar ? "yes" : "no", bench::fixed(answer, 6)});
}

/// By a unit along x, at a height.
Motion slide(double z) { return Motion::make({{0, translation(0, 0, z)}, {1, translation(1, 0, z)}}).value(); }

}  // namespace

int snug::bench::run_hard(int argc, char** argv) {
  const bench::Arguments arguments(argc, argv);
  const int rounds = arguments.quick ? 5 : 21;
  const std::uint32_t rings = arguments.quick ? 50 : 100, squares = arguments.quick ? 20 : 40;
  bench::Table table({"query", "hard", "ordinary", "hard ms", "ordinary ms", "ratio", "within 10x", "answer"});
  Scratch scratch;

  const Shape outer(scenes::sphere(1, rings, rings)), inner(scenes::sphere(0.9, rings, rings));
  (void)outer.prepare(), (void)inner.prepare();
  const Pose apart = translation(2, 0, 0);
  run(table,
      {"distance", "one sphere inside another, concentric", "side by side, the same gap",
       [&] { return distance(outer, {}, inner, {}, scratch).value; },
       [&] { return distance(outer, {}, inner, apart, scratch).value; }},
      rounds);

  const Shape knot(scenes::bumpy_knot(165, arguments.quick ? 9 : 18)),
      same(scenes::bumpy_knot(165, arguments.quick ? 9 : 18));
  (void)knot.prepare(), (void)same.prepare();
  const Pose aside = translation(0.05, 0.03, 0.02);
  const auto count_contacts = [&](const Pose& at) {
    return static_cast<double>(contacts(knot, {}, same, at, scratch).value().contacts.size());
  };
  run(table,
      {"contacts", "two equal bodies in one place", "moved a little", [&] { return count_contacts({}); },
       [&] { return count_contacts(aside); }},
      rounds);

  const Shape lower(scenes::grid_cube(squares)), upper(scenes::grid_cube(squares));
  const Motion still = Motion::make({{0, Pose{}}}).value(), flush = slide(1), into = slide(0.999);
  const auto verdict = [&](const Motion& motion) {
    const auto report = check_path(lower, still, upper, motion);
    return report ? static_cast<double>(report->verdict) : -1.0;
  };
  run(table,
      {"check_path", "boxes that slide flush", "crossing by 0.001", [&] { return verdict(flush); },
       [&] { return verdict(into); }},
      arguments.quick ? 1 : 5);

  const MovingTriangle face{MovingPoint{{0, 0, 0}, {0, 0, 0.1}}, MovingPoint{{1, 0, 0}, {1, 0, 0.1}},
                            MovingPoint{{0, 1, 0}, {0, 1, 0.1}}};
  const MovingPoint far{{100, 100, 100}, {100, 101, 100}}, near{{0.2, 0.2, 1.5}, {0.2, 0.2, 1.2}};
  const auto many = [&](const MovingPoint& point) {
    double kept = 0;
    for (int i = 0; i < 1000; ++i) kept += keeps_distance(point, face, {.distance = 0.5}).yes() ? 1 : 0;
    return kept;
  };
  run(table, {"keeps_distance, 1000 times", "far apart", "near", [&] { return many(far); }, [&] { return many(near); }},
      rounds);
  return table.print("Hard cases beside ordinary ones; medians of interleaved rounds", arguments) ? 0 : 5;
}
