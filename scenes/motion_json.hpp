#pragma once

#include "scenes/scene.hpp"

#include <string>

namespace snug::scenes {

/// The scene's tracks as a `snug.motion/1` document (docs/schema): keys sorted, numbers in their shortest form, a newline
/// at the end.
[[nodiscard]] std::string motion_json(const Scene& scene);

}  // namespace snug::scenes
