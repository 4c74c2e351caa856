#pragma once

#include "scenes/scene.hpp"

#include <snug/shape.hpp>

#include <cstdint>
#include <vector>

namespace snug::bench::figueiredo {

/// An assembly motion, step by step: at each, the pairs of parts whose boxes in the world overlap, resting pairs too. Finding
/// these is the broad phase, which the paper leaves to others; it is not timed, and every engine gets the same pairs. Of
/// two parts, a is the one that comes to its place later: what is carried is asked whether it meets what is there.
struct AssemblySteps {
  struct Meeting {
    std::uint32_t a = 0, b = 0;  ///< parts
    Pose pose_a, pose_b;
  };
  explicit AssemblySteps(const scenes::Scene& scene);

  std::vector<Shape> shapes;                ///< by part
  std::vector<std::vector<Meeting>> steps;  ///< all steps of the motion
  std::vector<std::size_t> intersecting;    ///< those at which parts share a point, by the exact engine
  /// The same in an order whose every beginning is spread over the whole motion: a run that ends early is still fair.
  std::vector<std::size_t> spread;

  [[nodiscard]] std::size_t surfaces() const;
  [[nodiscard]] std::size_t triangles() const;
  [[nodiscard]] double meetings_per_step() const;  ///< of the intersecting ones
};

}  // namespace snug::bench::figueiredo
