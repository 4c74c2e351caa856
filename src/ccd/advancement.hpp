#pragma once

#include "ccd/advancement_memory.hpp"
#include "ccd/moving_body.hpp"
#include "ccd/pair_instant.hpp"
#include "support/rooms.hpp"

#include <snug/first_contact.hpp>

#include <functional>
#include <vector>

namespace snug::ccd {

/// What conservative advancement starts from.
struct AdvancementTask {
  TimeSpan range;  ///< part of what memory.motion was set for
  ContactResolution resolution;
  std::uint64_t pairs = 0;  ///< looked at so far
  /// All triangles that can meet within the range; if not given, any can.
  const std::vector<TrianglePairBound>* near = nullptr;
  std::function<bool(double)> meet_at;  ///< do the bodies share a point at that time?
};

/// The first contact within the range, as first_contact() describes it.
[[nodiscard]] Outcome<FirstContact> advance(MovingBody& a, MovingBody& b, const AdvancementTask& task,
                                            const FirstContactOptions& options, AdvancementMemory& memory);

}  // namespace snug::ccd
