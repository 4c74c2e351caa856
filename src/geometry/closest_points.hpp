#pragma once

#include <snug/triangle.hpp>

namespace snug::detail {

/// The distance of closest_points(), always computed in twice the digits: the last bit counts where a gap is compared with
/// a clearance that it is meant to have.
[[nodiscard]] double precise_distance(const Triangle& a, const Triangle& b) noexcept;

}  // namespace snug::detail
