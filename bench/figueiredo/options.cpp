#include "bench/figueiredo/options.hpp"

#include "bench/figueiredo/published.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

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

[[noreturn]] void refuse(const std::string& message) {
  std::fprintf(stderr, "snug-bench figueiredo: %s\nSee 'snug-bench figueiredo --help'.\n", message.c_str());
  std::exit(2);
}

std::vector<std::string> scenes_of(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = text.find(',');
    names.emplace_back(text.substr(0, comma));
    if (std::ranges::find(k_scenes, names.back()) == k_scenes.end())
      refuse("there is no scene '" + names.back() + "'; there are digger, control-box, plant");
    if (comma == text.npos) return names;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

bool Options::wants(std::string_view scene) const {
  return scenes.empty() || std::ranges::find(scenes, scene) != scenes.end();
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
    } else if (word == "--quick") {
      options.quick = true;
    } else if (word == "--json") {
      options.json = true;
    } else if (word == "--scene") {
      options.scenes = scenes_of(value());
    } else if (word == "--csv") {
      options.csv = value();
    } else if (word == "--counts") {
      options.counts = value();
    } else if (word == "--budget") {
      const std::string text = value();
      char* end = nullptr;
      options.budget_s = std::strtod(text.c_str(), &end);
      if (text.empty() || *end != '\0' || !(*options.budget_s >= 0 && *options.budget_s <= 1e6))
        refuse("--budget: '" + text + "' will not do");
    } else {
      refuse("unexpected argument '" + word + '\'');
    }
  }
  return options;
}

}  // namespace snug::bench::figueiredo
