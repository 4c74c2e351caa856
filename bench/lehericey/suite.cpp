// Contacts by rays, after Lehericey et al. (2013): deviation of the reaction, erroneous rays, lengths of rays, times.

#include "bench/lehericey/parts.hpp"
#include "bench/suites.hpp"

#include <charconv>
#include <cstdio>
#include <sstream>
#include <string_view>

namespace snug::bench {

namespace {

using namespace lehericey;

constexpr const char* k_help = R"(usage: snug-bench lehericey [options]

Ray-traced contacts: Table 1 (deviation), Figures 9 to 12 (recorded), Table 2 (lengths), and the narrow phase beside Bullet's own
(gimpact). All but the first need a build with Bullet.

  --part NAME      deviation, recorded, lengths or gimpact (default: all)
  --bodies N       how many bodies of a scene fall (default all, 512 and 500; quick 12)
  --steps N        how long (default 300, quick 90)
  --quick          fewer bodies, steps and orientations
  --csv FILE       part,scene,case,what,value
  --svg FILE       time of a step along the recorded simulations (Figs 11 and 12)
  --json           one JSON document, snug.bench/1, instead of the tables
)";

bool number(std::string_view text, std::uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value > 0;
}

int wrong(const std::string& what) {
  std::fprintf(stderr, "lehericey: %s; --help lists the options\n", what.c_str());
  return 2;
}

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
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--help") {
      std::fputs(k_help, stdout);
      return 0;
    }
    if (word == "--quick") {
      options.quick = true;
      continue;
    }
    if (word == "--json") {
      options.json = true;
      continue;
    }
    if (i + 1 == argc) return wrong("unexpected argument '" + std::string(word) + '\'');
    const std::string value = argv[++i];
    if (word == "--csv")
      options.csv = value;
    else if (word == "--svg")
      options.svg = value;
    else if (word == "--part")
      options.part = value;
    else if (word != "--bodies" && word != "--steps")
      return wrong("unexpected argument '" + std::string(word) + '\'');
    else if (!number(value, word == "--bodies" ? options.bodies : options.steps))
      return wrong(std::string(word) + " takes a number above zero, not '" + value + '\'');
  }

  struct Part {
    std::string_view name;
    void (*run)(const Options&, Rows&);
  };
#ifdef SNUG_BENCH_HEADLESS
  constexpr Part k_parts[] = {
      {"deviation", deviation}, {"recorded", recorded}, {"lengths", lengths}, {"gimpact", gimpact}};
#else
  constexpr Part k_parts[] = {{"deviation", deviation}};
  std::fputs("lehericey: built without Bullet: Table 1 alone\n", stderr);
#endif
  Rows rows;
  bool any = false;
  for (const Part& part : k_parts)
    if (options.part.empty() || options.part == part.name) {
      part.run(options, rows);
      any = true;
    }
  if (!any) return wrong("there is no part '" + options.part + '\'');
  const Results results = results_of(rows);
  const std::string text = options.json ? json_text(results) : '\n' + bars_text(results.bars);
  std::fwrite(text.data(), 1, text.size(), stdout);
  bool written = true;
  if (!options.csv.empty()) written = write_text(options.csv, csv_of(rows));
  if (!options.svg.empty()) written = write_text(options.svg, svg_text(results)) && written;
  return written ? 0 : 5;
}

}  // namespace snug::bench
