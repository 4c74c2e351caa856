#pragma once

#include <string>

namespace snug::bench::figueiredo {

struct Options {
  bool quick = false;
  bool json = false;
  double budget_s = 8;  ///< for one question about one scene, all engines together
  std::string csv, counts;
};

/// Exits with 0 after --help, with 2 and words on stderr after a mistake.
[[nodiscard]] Options parse(int argc, char** argv);

}  // namespace snug::bench::figueiredo
