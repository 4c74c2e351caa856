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
  /// `margin`: by which boxes are enlarged.
  explicit Stage(const headless::WorldScene& scene, double margin = 0);
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
  double margin_;
  Scratch scratch_;
  Contacts out_;
};

/// What happened at a step.
struct Frame {
  std::vector<Pose> poses;
  std::vector<PartPair> pairs;
};
/// A tracker for each pair, as long as its boxes meet.
class Trackers {
 public:
  explicit Trackers(const RayContactOptions& options) : options_(options) {}
  /// Those of the pairs of a step, in their order; the others are forgotten.
  const std::vector<ContactTracker*>& at(const Frame& frame);

 private:
  RayContactOptions options_;
  std::map<PartPair, ContactTracker> all_;
  std::vector<ContactTracker*> now_;
};

/// Runs the scene and calls `see` after each step.
void watch(const headless::WorldScene& scene, const headless::WorldOptions& options, std::uint32_t steps,
           const Stage& stage, const std::function<void(const headless::World&, const Frame&)>& see);

}  // namespace snug::bench::lehericey
