#include "bench/pairs/options.hpp"

namespace snug::bench::pairs {

namespace {

constexpr const char* k_help = R"(usage: snug-bench pairs [options]

What to measure; each takes a list with commas, and what is not asked for is not built:
  --scene NAMES    knot6k, knot60k, knot600k, env-rob, digger, control-box, plant, coincident, flush, cubes
  --bucket NAMES   d=0 d=0.1 d=0.2 d=0.4 touch-0.05 touch-0.005 touch+0.0005 touch+0.005 touch+0.05 touch+0.5
  --query NAMES    all, first, distance, build, scaling (two threads)
  --engine NAMES   snug, fcl, cgal, bullet, ode, embree-collide, embree-morton, embree-sah: those that
                   were found when this was built; the last two only build
  --caches NAMES   warm, cold
  --poses N        poses in each bucket (default 100; 40 for knot600k)
  --budget S       seconds for one query in one bucket, after which the rest of its poses is left out (default 6)
  --seed N         other poses
  --quick          little of everything, within 30 seconds

What comes out, beside the table on stdout:
  --csv FILE       suite,scene,bucket,query,engine,threads,mean_us,p99_us,answers,hash
  --json           one JSON document instead of the table
  --svg FILE       times over distance as a plot
)";

constexpr std::string_view k_scenes[] = {"knot6k",      "knot60k", "knot600k",   "env-rob", "digger",
                                         "control-box", "plant",   "coincident", "flush",   "cubes"};
constexpr std::string_view k_queries[] = {"all", "first", "distance", "build", "scaling"};
constexpr std::string_view k_caches[] = {"warm", "cold"};

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const Engine* engine : engines()) names.emplace_back(engine->name());
  return names;
}

}  // namespace

std::vector<const Engine*> Options::all_engines() const {
  std::vector<const Engine*> chosen;
  for (const Engine* engine : bench::engines())
    if (wants(engines, engine->name())) chosen.push_back(engine);
  return chosen;
}

std::vector<const Engine*> Options::engines_for(Query query) const {
  std::vector<const Engine*> chosen = all_engines();
  std::erase_if(chosen, [&](const Engine* engine) { return !engine->can(query); });
  return chosen;
}

Options parse(int argc, char** argv) {
  Options options;
  OptionParser("pairs", k_help)
      .names("--scene", options.scenes, names_of(k_scenes), "scene")
      .names("--bucket", options.buckets)
      .names("--query", options.queries, names_of(k_queries), "query")
      .names("--engine", options.engines, engine_names(), "engine")
      .names("--caches", options.caches, names_of(k_caches), "state of caches called")
      .number("--poses", options.poses, 1, 1e6)
      .number("--budget", options.budget_s, 0, 1e6)
      .number("--seed", options.seed, 0, 1e15)
      .flag("--quick", options.quick)
      .output("--csv", options.csv)
      .output("--svg", options.svg)
      .flag("--json", options.json)
      .parse(argc, argv);
  return options;
}

}  // namespace snug::bench::pairs
