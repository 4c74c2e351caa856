#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

namespace snug::assembly {

/// Is the face of triangle t, wherever it is within its sag, nowhere higher than `slack` above the plane through p with the
/// unit normal n? By its analytic form; false if that is not known or does not tell.
[[nodiscard]] bool stays_below(const PosedSolid& of, std::uint32_t t, const Point3& p, const Vec3& n, double slack);

}  // namespace snug::assembly
