#include "bench/figueiredo/options.hpp"

#include "bench/figueiredo/published.hpp"
#include "bench/option_parser.hpp"

namespace snug::bench::figueiredo {

namespace {

constexpr const char* k_help = R"(usage: snug-bench figueiredo [options]

Assembles digger, control-box and plant step by step and prints Tables 1 to 6 of Figueiredo (2010) beside what is measured
here: first surfaces, all surfaces, all triangles; with and without the overlapping box; operations; peers.

  --scene NAMES    some of digger,control-box,plant
  --quick          fewer steps, within 30 seconds
  --budget S       seconds for one question about one scene, all engines together (default 8; less if quick)
  --csv FILE       suite,scene,bucket,query,engine,threads,mean_us,p99_us,answers,hash
  --counts FILE    operations per step, as CSV: scene,query,engine,node_pairs,box_tests,box_updates,triangle_tests,exact_tests
  --json           one JSON document instead of the tables
)";

}  // namespace

bool Options::wants(std::string_view scene) const { return bench::wants(scenes, scene); }

Options parse(int argc, char** argv) {
  Options options;
  OptionParser("figueiredo", k_help)
      .names("--scene", options.scenes, names_of(k_scenes), "scene")
      .flag("--quick", options.quick)
      .number("--budget", options.budget_s, 0, 1e6)
      .output("--csv", options.csv)
      .output("--counts", options.counts)
      .flag("--json", options.json)
      .parse(argc, argv);
  return options;
}

}  // namespace snug::bench::figueiredo
