#pragma once

#include "physics/headless/scene_shapes.hpp"
#include "physics/headless/world.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snug::headless {

/// Gathers what a reader should know before believing how a simulation went: bodies that overlap as they appear, that never do, that
/// move too far in a step, open ones, and those that Bullet has given up.
class Remarks {
 public:
  /// Borrows both.
  Remarks(const WorldScene& scene, const SceneShapes& shapes);

  /// Before each step, for those that it lets appear.
  void before_step(const World& world, std::span<const Pose> poses);
  /// Where parts are at the start, and then after each step.
  void at(std::uint64_t step, std::span<const Pose> poses, const std::vector<bool>& present);
  /// At the end.
  [[nodiscard]] std::vector<std::string> all(const World& world) const;

 private:
  struct Body {
    double thickness = 0;  ///< the least extent of its box, or of its walls
    Point3 centre;         ///< of the box, in the world
    bool known = false;    ///< centre is that of the step before
    double most = 0;       ///< how far it went in one step, by its thickness or that of the thinnest body
    std::uint64_t since = 0;
  };

  [[nodiscard]] double thinnest_thickness() const noexcept;
  [[nodiscard]] const std::string& path(std::size_t part) const { return scene_.assembly.parts()[part].path; }
  [[nodiscard]] std::string overlap_text() const;
  [[nodiscard]] std::string speed_text() const;

  const WorldScene& scene_;
  const SceneShapes& shapes_;
  std::vector<Body> bodies_;
  std::optional<std::size_t> thinnest_;  ///< of the closed ones
  std::uint64_t overlaps_ = 0;           ///< pairs that did as one of them appeared
  PartOverlap deepest_;                  ///< of those, the first of the deepest
  double deepest_time_ = 0;
};

}  // namespace snug::headless
