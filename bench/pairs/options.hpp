#pragma once

#include "bench/option_parser.hpp"
#include "bench/peers/engine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snug::bench::pairs {

/// What is to be measured; an empty list stands for everything.
struct Options {
  std::vector<std::string> scenes, buckets, queries, engines, caches;
  std::optional<std::size_t> poses;  ///< per bucket
  double budget_s = 6;               ///< for one query in one bucket, all engines together
  std::uint64_t seed = 1;
  bool quick = false;
  bool json = false;
  std::string csv, svg;

  [[nodiscard]] bool wants_scene(std::string_view name) const { return wants(scenes, name); }
  [[nodiscard]] bool wants_bucket(std::string_view name) const { return wants(buckets, name); }
  /// all, first, distance, build, scaling
  [[nodiscard]] bool wants_query(std::string_view name) const { return wants(queries, name); }
  /// warm, cold
  [[nodiscard]] bool wants_caches(std::string_view name) const { return wants(caches, name); }
  /// Of those asked for, the ones that can.
  [[nodiscard]] std::vector<const Engine*> engines_for(Query query) const;
  [[nodiscard]] std::vector<const Engine*> all_engines() const;
};

/// Exits with 0 after --help, with 2 and words on stderr after a mistake.
[[nodiscard]] Options parse(int argc, char** argv);

}  // namespace snug::bench::pairs
