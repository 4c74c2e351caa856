#pragma once

#include "bench/lehericey/parts.hpp"
#include "physics/headless/world.hpp"

#include <snug/contacts.hpp>

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace snug::bench::lehericey {

/// A bundled scene cut down to so many bodies: of the avalanche those nearest to its axis, so that they pile up; of the
/// fountain those released first.
[[nodiscard]] headless::WorldScene cut_down(const char* name, std::uint32_t bodies);

using PartPair = std::pair<std::uint32_t, std::uint32_t>;

/// Shapes of the parts, and which of them have boxes that meet.
class Stage {
 public:
  explicit Stage(const headless::WorldScene& scene);
  [[nodiscard]] const Shape& shape(std::uint32_t part) const { return shapes_[part]; }
  /// Ordered; pairs of fixed parts are left out.
  [[nodiscard]] std::vector<PartPair> pairs(const std::vector<Pose>& poses, const std::vector<bool>& present) const;
  /// Length of all standard rays at an instant, along the rays and re-projected.
  struct Length {
    double along_rays = 0, reprojected = 0;
  };
  [[nodiscard]] Length ray_length(const std::vector<Pose>& poses, const std::vector<PartPair>& pairs);

 private:
  std::vector<Shape> shapes_;
  std::vector<bool> fixed_;
  Scratch scratch_;
  Contacts out_;
};

/// What happened at a step.
struct Frame {
  std::vector<Pose> poses;
  std::vector<PartPair> pairs;
};
/// Runs the scene and calls `see` after each step.
void watch(const headless::WorldScene& scene, const headless::WorldOptions& options, std::uint32_t steps,
           const Stage& stage, const std::function<void(const headless::World&, const Frame&)>& see);

}  // namespace snug::bench::lehericey
