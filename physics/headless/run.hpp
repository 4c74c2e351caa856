#pragma once

#include "physics/headless/judge.hpp"
#include "physics/headless/step_times.hpp"
#include "physics/headless/world.hpp"

#include <snug/page.hpp>
#include <snug/report.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace snug::headless {

struct RunOptions {
  std::uint64_t steps = 0;  ///< 0: as many as the scene lasts
  unsigned threads = 1;     ///< nothing but times depends on it
  RayContactOptions contacts = {
      .normal = RayContactOptions::Normal::smooth};  ///< of these, the device changes nothing but times
  std::uint64_t judge_every = 10;                    ///< steps between two looks at how much bodies overlap; 0: never
  /// Gets JSON lines, one for each step after one that says what they hold, as soon as they are known: contacts of the
  /// places that a step leads to are found as the next one begins.
  std::function<void(std::string_view)> line = {};
  bool playback = false;  ///< keep RunReport::playback and animation
  Watch watch = {};
};

/// What a simulation did.
struct RunReport {
  std::uint64_t steps = 0, steps_asked = 0;
  bool cancelled = false;
  std::uint64_t bodies = 0;  ///< that move; those not released yet included
  double duration = 0;       ///< seconds simulated
  double contacts_mean = 0, pairs_mean = 0;
  std::uint64_t contacts_most = 0, pairs_most = 0;
  double energy_first = 0, energy_last = 0, energy_most = 0;
  double fastest = 0;  ///< at the end
  /// Of the steps at which it was judged.
  std::uint64_t judged = 0;
  Interpenetration total, most, last;
  std::string state_hash;
  std::vector<std::string> remarks;                ///< what a reader should know before believing the rest
  StepTimes step_times, narrow_times;              ///< which differ from run to run
  std::vector<std::string> devices;                ///< in use at the end, if rays were to be cast by devices
  std::uint64_t device_rays = 0, redone_rays = 0;  ///< given to them; of those, cast again by the processor

  /// At most some hundred frames, with the deepest contacts of each.
  PagePlayback playback;
  std::vector<PageInterval> meetings;  ///< from the first to the last frame in a row at which two parts have contacts
  double between_frames = 0;           ///< seconds
  std::uint64_t contacts_left_out = 0;
};
[[nodiscard]] RunReport run(const WorldScene& scene, const RunOptions& options);

/// A `snug.simulate/1` document.
[[nodiscard]] std::string simulate_json(const WorldScene& scene, const RunReport& report,
                                        const std::vector<InputFile>& inputs, const RunOptions& options,
                                        const RunInfo& info);
/// The same for people.
[[nodiscard]] std::string simulate_text(const WorldScene& scene, const RunReport& report, const RunOptions& options);

}  // namespace snug::headless
