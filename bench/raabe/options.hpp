#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snug::bench::raabe {

struct Options {
  bool quick = false, json = false;
  bool chip = false;  ///< the figures of the chip and no others, unless parts are named
  std::string csv, counts, svg;
  std::vector<std::string> parts;  ///< empty: all

  [[nodiscard]] bool wants(std::string_view part) const;
  [[nodiscard]] bool wants_chip(std::string_view part) const;
};

/// Ends the program on --help and on mistakes.
[[nodiscard]] Options parse(int argc, char** argv);

}  // namespace snug::bench::raabe
