// Contacts by rays, after Lehericey et al. (2013): deviation of the reaction, erroneous rays, lengths of rays, times.

#include "bench/lehericey/parts.hpp"
#include "bench/option_parser.hpp"
#include "bench/suites.hpp"

#include <cstdio>
#include <sstream>
#include <string_view>

namespace snug::bench {

namespace {

using namespace lehericey;

constexpr const char* k_help = R"(usage: snug-bench lehericey [options]

Ray-traced contacts: Table 1 (deviation), Figures 9 to 12 (recorded), Table 2 (lengths), and the narrow phase beside Bullet's own
(gimpact). All but the first need a build with Bullet.

  --part NAMES     of deviation, recorded, lengths and gimpact (default: all)
  --bodies N       how many bodies of a scene fall (default all, 512 and 500; quick 12)
  --steps N        how long (default 300, quick 90)
  --quick          fewer bodies, steps and orientations
  --csv FILE       part,scene,case,what,value
  --svg FILE       time of a step along the recorded simulations (Figs 11 and 12)
  --json           one JSON document, snug.bench/1, instead of the tables
)";

std::string csv_of(const Rows& rows) {
  std::ostringstream text;
  text << "part,scene,case,what,value\n";
  for (const Measured& row : rows.all)
    text << row.part << ',' << row.scene << ",\"" << row.of << "\"," << row.what << ',' << row.value << '\n';
  return text.str();
}

/// Times as times; whatever else was measured stands under `answers`.
Results results_of(const Rows& rows) {
  Results results{.suite = "lehericey", .rows = rows.over_time, .remarks = {}, .bars = rows.bars};
  for (const Measured& measured : rows.all) {
    Row row;
    row.suite = "lehericey", row.scene = measured.scene, row.query = measured.part, row.engine = measured.of;
    if (measured.what == "ms")
      row.mean_us = 1e3 * measured.value;
    else
      row.answers = short_number(measured.value) + ' ' + measured.what;
    results.rows.push_back(row);
  }
  return results;
}

}  // namespace

void lehericey::show(const Options& options, const Table& table, const std::string& title) {
  if (options.json) return;
  const Arguments plain;
  (void)table.print('\n' + title, plain);
}

int run_lehericey(int argc, char** argv) {
  struct Part {
    std::string_view name;
    void (*run)(const Options&, Rows&);
  };
#ifdef SNUG_BENCH_HEADLESS
  constexpr Part k_parts[] = {
      {"deviation", deviation}, {"recorded", recorded}, {"lengths", lengths}, {"gimpact", gimpact}};
#else
  constexpr Part k_parts[] = {{"deviation", deviation}};
#endif
  Options options;
  std::vector<std::string> parts;
  constexpr double k_most = 1e6;
  OptionParser("lehericey", k_help)
      .names("--part", parts, names_of(k_parts), "part")
      .number("--bodies", options.bodies, 1, k_most)
      .number("--steps", options.steps, 1, k_most)
      .flag("--quick", options.quick)
      .text("--csv", options.csv)
      .text("--svg", options.svg)
      .flag("--json", options.json)
      .parse(argc, argv);
#ifndef SNUG_BENCH_HEADLESS
  std::fputs("lehericey: built without Bullet: Table 1 alone\n", stderr);
#endif

  Rows rows;
  for (const Part& part : k_parts)
    if (wants(parts, part.name)) part.run(options, rows);
  const Results results = results_of(rows);
  const std::string text = options.json ? json_text(results) : '\n' + bars_text(results.bars);
  std::fwrite(text.data(), 1, text.size(), stdout);
  bool written = true;
  if (!options.csv.empty()) written = write_text(options.csv, csv_of(rows));
  if (!options.svg.empty()) written = write_text(options.svg, svg_text(results)) && written;
  return written ? 0 : 5;
}

}  // namespace snug::bench
