#pragma once

#include "bench/lehericey/recording.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Scenes on whose poses settings of contacts are compared.

namespace snug::bench::lehericey {

struct TrialScene {
  std::string name;
  bool of_design = false;  ///< the automatic constants were chosen with this one in view
  headless::WorldScene scene;
  std::uint32_t steps = 0;
  /// Where a part is at a step, for parts that something else drives; if empty, a simulation tells.
  std::function<Pose(std::uint32_t part, std::uint32_t step)> driven = {};
};

/// avalanche and fountain, which are the paper's, and then bin, gears, throw and stack, which are not of design.
[[nodiscard]] std::vector<std::string> trial_scenes();
/// One of these; `quick` ones have fewer steps. The same bits everywhere.
[[nodiscard]] TrialScene trial_scene(const std::string& name, bool quick);

/// Poses and pairs of each step. Nothing sleeps.
[[nodiscard]] std::vector<Frame> frames_of(const TrialScene& trial, const Stage& stage);

}  // namespace snug::bench::lehericey
