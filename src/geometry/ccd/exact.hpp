#pragma once

#include "geometry/ccd/polygon.hpp"
#include "support/rooms.hpp"

#include <cstdint>
#include <optional>

namespace snug::geometry::moving {

/// The first instant at which the origin lies in the polygon, in integers of any length: decides every case, degenerate ones
/// included. Microseconds; filters come first.
[[nodiscard]] std::optional<ContactTime> first_contact_exactly(const MovingPolygon& polygon, double time_tolerance);

/// How often this thread has come here; benchmarks and tests print it.
[[nodiscard]] std::uint64_t exact_calls() noexcept;

}  // namespace snug::geometry::moving
