#include "bench/raabe/options.hpp"

#include "bench/option_parser.hpp"

#include <algorithm>
#include <array>

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

}  // namespace

bool Options::wants(std::string_view part) const {
  return parts.empty() ? !chip : std::ranges::find(parts, part) != parts.end();
}

bool Options::wants_chip(std::string_view part) const {
  return parts.empty() ? chip : std::ranges::find(parts, part) != parts.end();
}

Options parse(int argc, char** argv) {
  Options options;
  OptionParser parser("raabe", k_help);
  parser.flag("--quick", options.quick)
      .flag("--chip", options.chip)
      .flag("--json", options.json)
      .names("--part", options.parts, names_of(k_parts), "part")
      .output("--csv", options.csv)
      .output("--counts", options.counts)
      .output("--svg", options.svg)
      .parse(argc, argv);
  for (const std::string& part : options.parts)
    if (options.chip && !part.starts_with("chip-"))
      parser.refuse("part '" + part + "' is not one of the chip" +
                    (std::ranges::find(k_parts, "chip-" + part) != k_parts.end() ? "; chip-" + part + " is" : ""));
  return options;
}

}  // namespace snug::bench::raabe
