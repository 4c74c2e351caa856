#pragma once

#include "verdict/posed_solid.hpp"

namespace snug::detail {

/// Does the closed body wind around every place at most once: no two of its shells cross, bodies lie beside each other and
/// cavities in bodies? Only then is a sum of signed columns its volume.
[[nodiscard]] bool winds_once(const PosedSolid& solid);

}  // namespace snug::detail
