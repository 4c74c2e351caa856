#pragma once

#include "scenes/scene.hpp"

namespace snug::scenes {

/// For each step of the scene's motion whether parts intersect, in the sense of figueiredo's Table 1: a triangle of one part
/// shares a point with a triangle of another. Touching counts; a part wholly inside another does not.
[[nodiscard]] std::vector<bool> intersecting_steps(const Scene& scene);

}  // namespace snug::scenes
