// Two bodies: how long engines take to find all pairs of triangles that meet, the first one, or the distance; beside what
// others take, on the same poses, with answers compared.

#include "bench/pairs/context.hpp"
#include "bench/suites.hpp"

#include <cstdio>

namespace snug::bench {

int run_pairs(int argc, char** argv) {
  const pairs::Options options = pairs::parse(argc, argv);
  pairs::Context context(options);
  for (const Engine* engine : options.all_engines())
    std::fprintf(stderr, "%s %s\n", std::string(engine->name()).c_str(), engine->version().c_str());

  pairs::run_build(context);
  pairs::run_knots(context);
  pairs::run_hard_cases(context);
  pairs::run_env_rob(context);
  pairs::run_motions(context);
  pairs::run_scaling(context);
  context.finish();
  if (context.results.rows.empty()) {
    std::fputs("snug-bench pairs: nothing to measure is both asked for and there\n", stderr);
    for (const std::string& remark : context.results.remarks) std::fprintf(stderr, "%s\n", remark.c_str());
    return 2;
  }
  pairs::add_bars(context);

  std::fputs(options.json ? json_text(context.results).c_str() : report(context).c_str(), stdout);
  bool written = std::fflush(stdout) == 0;
  if (!options.csv.empty()) written = write_text(options.csv, csv_text(context.results)) && written;
  if (!options.svg.empty()) written = write_text(options.svg, svg_text(context.results)) && written;
  return written ? 0 : 5;
}

}  // namespace snug::bench
