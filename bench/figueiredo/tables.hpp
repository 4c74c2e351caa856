#pragma once

#include "bench/figueiredo/contenders.hpp"
#include "bench/figueiredo/published.hpp"
#include "bench/report/row.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace snug::bench::figueiredo {

/// What a step of one engine took, in milliseconds, and what it found.
struct Timing {
  double mean_ms = 0, median_ms = 0;
  std::size_t steps = 0;  ///< timed
};

/// All that was measured about one scene; nothing if it has no parts.
struct SceneResult {
  std::size_t parts = 0, surfaces = 0, triangles = 0, steps = 0, intersecting = 0;
  double meetings_per_step = 0, surface_pairs_per_step = 0, triangle_pairs_per_step = 0;
  std::vector<std::pair<std::string, std::string>> peer_steps;  ///< engine, and how many steps it finds to intersect
  std::map<std::pair<Question, std::string>, Timing> times;     ///< by question and engine
  std::map<std::pair<Question, std::string>, OurSteps::Counts> counts;

  [[nodiscard]] bool measured() const { return parts > 0; }
  [[nodiscard]] std::optional<Timing> time(Question question, std::string_view engine) const;
};

/// In the order of k_scenes.
using SceneResults = std::array<SceneResult, k_scenes.size()>;

/// Tables 1 to 6, the paper's figures beside ours. `peers` are the engines beside our own settings, in their order.
[[nodiscard]] std::string tables_text(const SceneResults& scenes, const std::vector<std::string>& peers);
/// As CSV, per step.
[[nodiscard]] std::string counts_text(const SceneResults& scenes);

}  // namespace snug::bench::figueiredo
