#pragma once

#include "physics/headless/world.hpp"

#include <string>
#include <vector>

namespace snug::headless {

/// What a reader should know of a scene before believing how it went: bodies that are too fast for its steps, and open ones.
[[nodiscard]] std::vector<std::string> remarks_on(const WorldScene& scene);
/// The same of a world at its end: bodies that Bullet has given up.
[[nodiscard]] std::vector<std::string> remarks_on(const WorldScene& scene, const World& world);

}  // namespace snug::headless
