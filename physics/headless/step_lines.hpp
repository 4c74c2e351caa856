#pragma once

#include "physics/headless/judge.hpp"
#include "physics/headless/world.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snug::headless {

/// The first of the JSON lines of a simulation: what the others hold.
[[nodiscard]] std::string lines_head(const WorldScene& scene);

/// What there is to tell of an instant but its contacts, which the step that begins with it finds.
struct Instant {
  std::uint64_t step = 0;  ///< how many were made by then
  double time = 0;
  std::vector<Pose> poses = {};
  std::vector<bool> present = {};
  double energy = 0;
  std::optional<Interpenetration> judged = std::nullopt;
};
/// The instant at which a step ended, with the contacts and pairs of the same places.
[[nodiscard]] std::string line_of_step(const Instant& instant, std::span<const WorldContact> contacts,
                                       std::uint64_t pairs);

}  // namespace snug::headless
