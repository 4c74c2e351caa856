#pragma once

#include "physics/headless/world.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snug::headless {

/// Gathers what a reader should know before believing how a simulation went: bodies that move too far in a step, open ones, and
/// those that Bullet has given up.
class Remarks {
 public:
  /// Borrows the scene.
  explicit Remarks(const WorldScene& scene);

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

  const WorldScene& scene_;
  std::vector<Body> bodies_;
  std::optional<std::size_t> thinnest_;  ///< of the closed ones
};

}  // namespace snug::headless
