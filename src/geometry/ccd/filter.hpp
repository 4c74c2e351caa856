#pragma once

#include "geometry/ccd/polygon.hpp"
#include "support/rooms.hpp"

#include <cstdint>

namespace snug::geometry::moving {

enum class Certainty : std::uint8_t { no_contact, contact, unsure };

struct Filtered {
  Certainty certainty = Certainty::unsure;
  ContactTime time;  ///< holds the first contact, for `contact`
};

/// What doubles with bounds on their errors can tell: right whenever it is sure.
[[nodiscard]] Filtered filtered_contact(const MovingPolygon& polygon) noexcept;

}  // namespace snug::geometry::moving
