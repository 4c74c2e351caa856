#pragma once

#include "ccd/first_contact_memory.hpp"
#include "ccd/moving_side.hpp"

#include <snug/first_contact.hpp>

#include <functional>
#include <vector>

namespace snug::detail {

inline constexpr double k_contact_resolution = 0x1p-40, k_contact_slack = 0x1p-43;  ///< of the largest coordinate

/// What the search for a first contact is given.
struct ContactTask {
  TimeSpan range;           ///< part of what memory.pace was set for
  double farthest = 0;      ///< no coordinate of either body is ever larger
  std::uint64_t pairs = 0;  ///< looked at so far
  /// All triangles that can meet within the range; if not given, any can.
  const std::vector<TrianglePairBound>* near = nullptr;
  std::function<bool(double)> meet_at;  ///< do the bodies share a point at that time?
};

/// The first contact within the range, as first_contact() tells it.
[[nodiscard]] FirstContact search_contact(MovingSide& a, MovingSide& b, const ContactTask& task,
                                          const FirstContactOptions& options, FirstContactMemory& memory);

}  // namespace snug::detail
