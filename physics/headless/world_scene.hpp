#pragma once

#include "scenes/scene.hpp"

#include <snug/io.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// What is simulated: an assembly, and what a physics engine needs to know of each part.

namespace snug::headless {

/// How one part takes part. Lengths in the assembly's unit, masses in kilograms, seconds.
struct BodySpec {
  bool fixed = false;
  double density = 1000;  ///< kilograms per cubic metre
  double friction = 0.5, restitution = 0.1;
  Vec3 velocity, spin;     ///< at the start; spin in radians per second
  double release = 0;      ///< it is not there before
  std::optional<Pose> at;  ///< where it appears, if not where the assembly has it
};

struct LoadedFile {
  std::filesystem::path path;
  LengthUnit units = LengthUnit::metre;
  std::string sha256 = {};
};

struct WorldScene {
  std::string name;
  Assembly assembly{LengthUnit::metre};
  std::vector<BodySpec> bodies;  ///< part by part
  Vec3 gravity{0, 0, -9.81};     ///< in the assembly's unit per s²
  double rate_hz = 60;
  double duration = 10;
  std::vector<LoadedFile> files = {};  ///< that bodies were read from
  std::string sha256 = {};             ///< of the document that read_scene() read, hex
};

/// A bundled scene. Precondition: it has a simulation.
[[nodiscard]] WorldScene world_scene(const scenes::Scene& scene);
/// Reads a `snug.scene/1` document and the files it names, which lie in its folder or below. Errors name the element.
[[nodiscard]] Result<WorldScene, IoError> read_scene(const std::filesystem::path& path,
                                                     const CancelToken* cancel = nullptr);

/// The same mesh with its lengths in another unit; what surfaces are made of is forgotten.
[[nodiscard]] Mesh converted(const Mesh& mesh, LengthUnit from, LengthUnit to);

}  // namespace snug::headless
