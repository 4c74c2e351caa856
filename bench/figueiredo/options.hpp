#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snug::bench::figueiredo {

struct Options {
  bool quick = false;
  bool json = false;
  std::optional<double> budget_s;   ///< for one question about one scene, all engines together
  std::vector<std::string> scenes;  ///< none stands for all
  std::string csv, counts;

  [[nodiscard]] bool wants(std::string_view scene) const;
};

/// Exits with 0 after --help, with 2 and words on stderr after a mistake.
[[nodiscard]] Options parse(int argc, char** argv);

}  // namespace snug::bench::figueiredo
