#pragma once

#include "scenes/scene.hpp"

namespace snug::scenes {

/// A small process plant on a skid: column, drum, pump, the three pipes between them and a platform with a ladder. Its motion
/// puts it together and takes it apart again. 8 parts.
[[nodiscard]] Scene plant();

}  // namespace snug::scenes
