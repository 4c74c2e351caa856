#pragma once

#include "physics/headless/world_scene.hpp"

#include <snug/contacts.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace snug::headless {

struct WorldOptions {
  enum class Engine : std::uint8_t {
    snug,     ///< contacts of our own
    gimpact,  ///< Bullet's own for concave meshes, for comparison
  } engine = Engine::snug;
  RayContactOptions contacts = {.normal = RayContactOptions::Normal::smooth};
  double gimpact_margin = 0.01;  ///< by which GImpact thickens triangles, in metres: as Bullet has it
  unsigned threads = 1;          ///< at least 1; nothing but time depends on it
  bool sleep = true;             ///< bodies that have come to rest are left alone until something touches them
};

/// A place where two parts meet.
struct WorldContact {
  std::uint32_t a = 0, b = 0;  ///< parts
  Point3 point;
  Vec3 normal;       ///< unit, out of b
  double depth = 0;  ///< negative: a gap
};

/// What a step did.
struct StepWork {
  std::uint64_t pairs = 0;              ///< pairs of bodies whose boxes meet
  std::uint64_t contacts = 0;           ///< handed to the solver, those of small gaps included
  std::uint64_t device_rays = 0;        ///< given to devices
  std::uint64_t redone_rays = 0;        ///< of those, cast again by the processor
  double narrow_seconds = 0;            ///< finding contacts, by the clock on the wall
  double narrow_processor_seconds = 0;  ///< the same, by the clock of the process
  double seconds = 0;                   ///< the whole step
};

/// A simulation by Bullet without anything to look at: bodies of an assembly that fall, meet and come to rest. Runs in metres
/// inside and tells everything in the assembly's unit. The same bits for every number of threads.
class World {
 public:
  World(const WorldScene& scene, const WorldOptions& options);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void step();
  [[nodiscard]] std::uint64_t steps() const noexcept;
  [[nodiscard]] double time() const noexcept;  ///< after the steps made so far
  [[nodiscard]] const StepWork& work() const noexcept;

  /// Parts that are there and can move.
  [[nodiscard]] std::size_t moving() const noexcept;
  [[nodiscard]] bool present(std::uint32_t part) const;
  /// It is not there yet, but will be as the next step begins.
  [[nodiscard]] bool is_due(std::uint32_t part) const;
  /// Where each part is; those that are not there yet, where they will appear.
  void poses(std::vector<Pose>& out) const;
  /// Found as the last step began, so those of the places before it; ordered by the parts.
  void contacts(std::vector<WorldContact>& out) const;
  /// Of all bodies that move: kinetic, and potential relative to the origin. Joules.
  [[nodiscard]] double energy() const;
  /// The fastest body, in the assembly's unit per second, those included that are given up; 0 if all are asleep.
  [[nodiscard]] double fastest() const;
  /// Parts that should move and that Bullet no longer moves.
  [[nodiscard]] std::vector<std::uint32_t> given_up() const;
  /// Its mass is that of the box around it, since it is open: see bullet::body_mass().
  [[nodiscard]] bool heavy_as_box(std::uint32_t part) const;
  /// SHA-256 of the places and velocities of all parts, bit by bit.
  [[nodiscard]] std::string state_hash() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace snug::headless
