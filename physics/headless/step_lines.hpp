#pragma once

#include "physics/headless/judge.hpp"
#include "physics/headless/world.hpp"

#include <optional>
#include <span>
#include <string>

namespace snug::headless {

/// The first of the JSON lines of a simulation: what the others hold.
[[nodiscard]] std::string lines_head(const WorldScene& scene);
/// One step.
[[nodiscard]] std::string line_of_step(const World& world, std::span<const Pose> poses,
                                       std::span<const WorldContact> contacts,
                                       const std::optional<Interpenetration>& judged);

}  // namespace snug::headless
