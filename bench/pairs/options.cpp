#include "bench/pairs/options.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

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

[[noreturn]] void refuse(const std::string& message) {
  std::fprintf(stderr, "snug-bench pairs: %s\nSee 'snug-bench pairs --help'.\n", message.c_str());
  std::exit(2);
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t comma = text.find(',');
    if (comma != 0) words.emplace_back(text.substr(0, comma));
    if (comma == text.npos) return words;
    text.remove_prefix(comma + 1);
  }
}

template <class List>
void expect_known(const std::vector<std::string>& words, const List& known, const char* kind) {
  for (const std::string& word : words)
    if (std::ranges::find(known, word) == std::ranges::end(known))
      refuse("there is no " + std::string(kind) + " '" + word + '\'');
}

double number(const std::string& text, const std::string& option, double least, double most) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= least && value <= most))
    refuse(option + ": '" + text + "' will not do");
  return value;
}

void check(const Options& options) {
  expect_known(options.scenes, k_scenes, "scene");
  expect_known(options.queries, k_queries, "query");
  expect_known(options.caches, k_caches, "state of caches called");
  for (const std::string& name : options.engines)
    if (find_engine(name) == nullptr) {
      std::string known;
      for (const Engine* engine : engines()) known += (known.empty() ? "" : ", ") + std::string(engine->name());
      refuse("there is no engine '" + name + "' here; there are " + known);
    }
}

}  // namespace

bool Options::wants(const std::vector<std::string>& list, std::string_view name) {
  return list.empty() || std::ranges::find(list, name) != list.end();
}

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
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) refuse(word + " needs a value");
      return argv[++i];
    };
    if (word == "--help" || word == "-h") {
      std::fputs(k_help, stdout);
      std::exit(0);
    }
    if (word == "--scene")
      options.scenes = split(value());
    else if (word == "--bucket")
      options.buckets = split(value());
    else if (word == "--query")
      options.queries = split(value());
    else if (word == "--engine")
      options.engines = split(value());
    else if (word == "--caches")
      options.caches = split(value());
    else if (word == "--poses")
      options.poses = static_cast<std::size_t>(number(value(), word, 1, 1e6));
    else if (word == "--budget")
      options.budget_s = number(value(), word, 0, 1e6);
    else if (word == "--seed")
      options.seed = static_cast<std::uint64_t>(number(value(), word, 0, 1e15));
    else if (word == "--csv")
      options.csv = value();
    else if (word == "--svg")
      options.svg = value();
    else if (word == "--quick")
      options.quick = true;
    else if (word == "--json")
      options.json = true;
    else
      refuse("unexpected argument '" + word + '\'');
  }
  check(options);
  return options;
}

}  // namespace snug::bench::pairs
