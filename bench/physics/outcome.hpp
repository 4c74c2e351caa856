#pragma once

#include "bench/physics/picture.hpp"
#include "physics/headless/world.hpp"

#include <optional>

namespace snug::bench::physics {

/// What a simulation came to. Trivially copyable: it comes from another process.
struct Outcome {
  double rest = -1;  ///< seconds after which no point of a body was faster than k_rest_speed; negative: never
  double creep = 0;  ///< mm a minute: the way of the fastest point over the last k_creep_time
  double rise = 0;   ///< the most that the energy grew over what it had been, in mm by which it would lift a body
  double rise_at_rest = 0;  ///< the same within the last k_creep_time
  double overlap = 0;       ///< at the end: common volume of all pairs, as a share of the volume of a body
  double step_ms = 0;       ///< mean, by the clock of the process
  double contacts = 0;      ///< mean of a step
  double peak_mb = 0;       ///< memory of its process
  std::uint32_t out_of_place = 0;
};

/// A tenth of a body's size in a second.
inline constexpr double k_rest_speed = 0.01;
/// How long bodies are watched at the end.
inline constexpr double k_creep_time = 1;

/// Runs a trial in a process of its own, so that memory is its own and an engine may fail. Nothing if it did.
[[nodiscard]] std::optional<Outcome> run_apart(const headless::Trial& trial, headless::WorldOptions::Engine engine,
                                               double seconds, Picture& picture);

}  // namespace snug::bench::physics
