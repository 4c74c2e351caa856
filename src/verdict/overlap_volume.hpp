#pragma once

#include "verdict/posed_solid.hpp"

#include <snug/verdict.hpp>

namespace snug::detail {

/// Volume of what two closed bodies have in common. Precondition: both are closed. Where a body winds around a place more
/// than once, that place counts as often.
[[nodiscard]] OverlapVolume overlap_volume(const PosedSolid& a, const PosedSolid& b);

/// Volume of one closed body, and its area.
[[nodiscard]] OverlapVolume volume_of(const PosedSolid& solid);
[[nodiscard]] double area_of(const PosedSolid& solid);

}  // namespace snug::detail
