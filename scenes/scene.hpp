#pragma once

#include <snug/assembly.hpp>
#include <snug/motion.hpp>
#include <snug/verdict.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snug::scenes {

/// Two parts that meet because they were drawn so. `a` comes before `b` in the order of paths.
struct DesignedContact {
  std::string a, b;
  Verdict verdict = Verdict::touch;
  friend auto operator<=>(const DesignedContact&, const DesignedContact&) = default;
};

/// A mistake put there to be found. `a` comes before `b` in the order of paths.
struct PlantedFault {
  std::string a, b;
  Verdict verdict = Verdict::clash;
  std::string what;   ///< in a few words: "0.4 mm into the wall"
  double amount = 0;  ///< depth of a clash, gap of a near pair; in the assembly's units
};

/// How one part moves: poses relative to the part's pose in the assembly, that is, in its frame, as in `snug.motion/1`.
struct MotionTrack {
  std::string part;  ///< path
  std::vector<PoseKey> keys;
};

/// Two parts whose interiors overlap while the scene moves, exactly between these times (touching before and after).
struct DesignedMeeting {
  std::string a, b;
  double begin = 0, end = 0;
  std::string what;  ///< in a few words: "flies through the plate"
};

/// How a part's vertices move in the part's own frame, which its track may move at the same time.
struct Deformation {
  std::string part;  ///< path
  std::vector<VertexKey> keys;
};

/// A body of a simulation that is not there from the start: it appears at this time, at rest, in the world's frame. Until
/// then the part waits at its pose in the assembly.
struct Release {
  std::string part;
  double t = 0;
  Pose pose;
};

/// What a physics engine needs to know beside the assembly. Lengths in the assembly's units, seconds.
struct Simulation {
  Vec3 gravity{0, 0, -9.81};
  double rate_hz = 60;
  double duration = 10;
  double friction = 0.5, restitution = 0.1, density = 1000;
  std::vector<std::string> fixed;      ///< parts that never move; all others are bodies
  std::vector<Release> releases = {};  ///< by rising time; bodies that are not listed are there from the start
  std::uint64_t published_pairs = 0;   ///< candidate pairs at the peak in the paper, or 0
};

/// An assembly, how it moves, and all that is to be found in it: check() at `clearance` finds the designed contacts and
/// the planted faults, no more and no fewer.
struct Scene {
  std::string name;
  Assembly assembly{LengthUnit::millimetre};
  double clearance = 0;  ///< for which `contacts` and `faults` are told
  std::vector<DesignedContact> contacts;
  std::vector<PlantedFault> faults;
  std::vector<MotionTrack> tracks;             ///< empty: nothing moves
  double duration = 0;                         ///< the motion runs from 0 to here
  std::uint32_t steps = 0;                     ///< uniform; step k, 0 … steps-1, is at step_time(scene, k)
  std::vector<DesignedMeeting> meetings = {};  ///< where they are known: scenes that list any list all
  std::vector<Deformation> deformations = {};
  std::optional<Simulation> simulation = std::nullopt;
};

/// The first step is at 0 and the last at the end of the motion.
[[nodiscard]] double step_time(const Scene& scene, std::uint32_t step) noexcept;
/// How each part moves in the world, in the order of the assembly: its own pose, then, in its own frame, its track's keys.
/// Parts without a track rest. Tracks must name parts of the assembly and have rising times.
[[nodiscard]] std::vector<Motion> world_motions(const Scene& scene);

/// What a scene may be asked for; SceneEntry::heeds tells which of these make a difference.
struct SceneOptions {
  std::uint64_t seed = 1;
  std::uint32_t size = 0;  ///< 0: the scene's own
};

struct SceneHeeds {
  bool seed = false, size = false;
};

struct SceneEntry {
  std::string_view name;
  std::string_view what;  ///< one line
  Scene (*make)(const SceneOptions& options);
  SceneHeeds heeds = {};
};

/// Every scene, in the order in which they are listed.
[[nodiscard]] std::span<const SceneEntry> all();
/// nullptr if there is none of that name.
[[nodiscard]] const SceneEntry* find(std::string_view name);

}  // namespace snug::scenes
