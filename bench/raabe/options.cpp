#include "bench/raabe/options.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace snug::bench::raabe {

namespace {

constexpr std::array<std::string_view, 20> k_parts{
    "trees",       "axes",          "widths",      "time",          "distance",      "rotation",      "figueiredo",
    "projections", "chip-widths",   "chip-axes",   "chip-schedule", "chip-software", "chip-rotation", "chip-variants",
    "chip-bursts", "chip-relative", "chip-levels", "chip-quads",    "chip-deform",   "chip-best"};

constexpr const char* k_help = R"(usage: snug-bench raabe [options]

Regenerates the software figures of Raabe et al. (DATE and WSCG 2006) with methods dop and dop_fixed: false positives over
bit widths, separation over axes (Fig. 5), time over the number of axes (Fig. 6), two headlights over distances and rotations
(Fig. 8) beside method surface, brute force and FCL; the DOP-tree column of Tables 3 and 4 of Figueiredo (2010); tighter
projections.

  --chip           the figures of the chip instead, by its cycle model: time over bit widths (Fig. 3), over axes (Figs. 6 and 7), beside
                   software (Fig. 8), stack and queue; and what the papers leave open, by time and area: pipes and caches, one burst or
                   two, relative coefficients, n for each level, quadrangles, bodies that deform, most queries for a slice
  --part NAMES     some of trees,axes,widths,time,distance,rotation,figueiredo,projections and
                   chip-widths,chip-axes,chip-schedule,chip-software,chip-rotation,chip-variants,chip-bursts,chip-relative,
                   chip-levels,chip-quads,chip-deform,chip-best
  --quick          fewer poses, within 30 seconds
  --csv FILE       times: suite,scene,bucket,query,engine,threads,mean_us,p99_us,answers,hash
  --counts FILE    counts: figure,series,x,y
  --svg FILE       pictures of the times
  --json           one JSON document of the times instead of the tables
)";

[[noreturn]] void refuse(const std::string& message) {
  std::fprintf(stderr, "snug-bench raabe: %s\nSee 'snug-bench raabe --help'.\n", message.c_str());
  std::exit(2);
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = text.find(',');
    names.emplace_back(text.substr(0, comma));
    if (std::ranges::find(k_parts, names.back()) == k_parts.end()) refuse("there is no part '" + names.back() + '\'');
    if (comma == text.npos) return names;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

bool Options::wants(std::string_view part) const {
  return parts.empty() ? !chip : std::ranges::find(parts, part) != parts.end();
}

bool Options::wants_chip(std::string_view part) const {
  return parts.empty() ? chip : std::ranges::find(parts, part) != parts.end();
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
    } else if (word == "--chip") {
      options.chip = true;
    } else if (word == "--json") {
      options.json = true;
    } else if (word == "--part") {
      options.parts = parts_of(value());
    } else if (word == "--csv") {
      options.csv = value();
    } else if (word == "--counts") {
      options.counts = value();
    } else if (word == "--svg") {
      options.svg = value();
    } else {
      refuse("unexpected argument '" + word + '\'');
    }
  }
  return options;
}

}  // namespace snug::bench::raabe
