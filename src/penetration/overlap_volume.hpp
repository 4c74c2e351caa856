#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/penetration.hpp>

namespace snug::penetration {

/// Volume of what two closed bodies have in common. Precondition: both are closed. Where a body winds around a place more
/// than once, that place counts as often.
[[nodiscard]] OverlapVolume overlap_volume(const PosedSolid& a, const PosedSolid& b);

/// How far the volume that two bodies have in common may be off for the sags of their faces: what lies between triangles and
/// faces in the common box, to first order area times sag.
[[nodiscard]] double volume_of_sags(const PosedSolid& a, const PosedSolid& b);

/// Volume of one closed body, and its area.
[[nodiscard]] OverlapVolume volume_of(const PosedSolid& solid);
[[nodiscard]] double area_of(const PosedSolid& solid);

}  // namespace snug::penetration
