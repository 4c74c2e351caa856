#include "options.hpp"

#include "length.hpp"
#include "nearest.hpp"

#include <algorithm>

namespace snug::cli {

namespace {

const std::vector<std::string> k_units{"um", "mm", "cm", "m", "in", "ft"};

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) (out += out.empty() ? "" : between) += word;
  return out;
}

}  // namespace

void one_of(CLI::Option* option, const std::vector<std::string>& words) {
  option->type_name(joined(words, "|"));
  option->check([words](const std::string& given) {
    if (std::ranges::find(words, given) != words.end()) return std::string{};
    // Who asks for a graphics card wants what drives it.
    const bool card = given == "gpu" && std::ranges::find(words, "opencl") != words.end();
    return '\'' + given + "' is not one of " + joined(words, ", ") + did_you_mean(card ? "opencl" : given, words);
  });
}

CLI::Option* add_value(CLI::App& app, const std::string& names, std::string& target, const std::string& value,
                       const std::string& text) {
  return app.add_option(names, target, text)->type_name(value);
}

void not_empty(CLI::Option* option) {
  option->check([](const std::string& given) {
    return given.empty() ? std::string("is empty; leave the option out, or give it a value") : std::string{};
  });
}

void add_tolerances(CLI::App& app, std::string& clearance, std::string& touch_gap, std::string& touch_overlap) {
  not_empty(add_value(app, "--clearance", clearance, "LENGTH", "report gaps below this as near (default 0)"));
  not_empty(add_value(app, "--touch-gap", touch_gap, "LENGTH", "gaps up to this count as touching (default 0)"));
  not_empty(add_value(app, "--touch-overlap", touch_overlap, "LENGTH",
                      "overlaps no thicker than this count as touching (default: 1 um, or the modelling tolerance "
                      "of the CAD faces if that is more)"));
}

void add_inputs(CLI::App& app, InputOptions& options) {
  app.add_option("FILE", options.files,
                 "CAD files (STEP, IGES, BREP) and mesh files (STL, OBJ, PLY, OFF, glTF); several form one assembly")
      ->type_name("FILE")
      ->required();
  one_of(
      add_value(
          app, "--units", options.units, "UNIT",
          "unit of length of the files that have none of their own (STL, OBJ, PLY, OFF, BREP); given for glTF alone, "
          "it declares what its numbers are, which the format says are metres"),
      k_units);
  one_of(add_value(app, "--to-units", options.to_units, "UNIT",
                   "unit to convert all files to, and to tell lengths in (default: that of the first file)"),
         k_units);
  add_cad_arguments(app, options.cad);
}

void add_outputs(CLI::App& app, OutputOptions& options) {
  app.add_flag("--json", options.json, "print one JSON document instead of the table");
  app.add_flag("-q,--quiet", options.quiet, "no progress and no remarks on stderr; errors are still told");
  one_of(add_value(app, "--color", options.color, "WHEN",
                   "colours: on a terminal (auto, which heeds NO_COLOR), always or never"),
         {"auto", "always", "never"});
}

}  // namespace snug::cli
