#pragma once

#include "scenes/scene.hpp"

namespace snug::scenes {

/// An electronic control box: housing, lid, boards, connectors, brackets, harness clips and screws, with every contact that
/// belongs there and three mistakes. Its motion puts it together piece by piece and takes it apart again. 25 parts.
[[nodiscard]] Scene control_box();

}  // namespace snug::scenes
