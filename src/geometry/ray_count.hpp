#pragma once

#include <snug/vec.hpp>

namespace snug::detail {

/// Adds to `winding` how often the ray from p along +x, displaced infinitely little, leaves through the triangle (+1) or
/// enters (-1). False if p lies on the triangle. Exact. The triangle can be left out when its box, in x, lies below p, or,
/// in y or z, does not reach p.
[[nodiscard]] bool count_crossing(const Point3& p, const Triangle& t, int& winding) noexcept;

}  // namespace snug::detail
