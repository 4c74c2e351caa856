#pragma once

#include "chip/image.hpp"
#include "support/rooms.hpp"

#include <string_view>

namespace snug::chip {

/// Candidates that do meet, by the exact test, ordered by (a, b).
[[nodiscard]] std::vector<TrianglePair> confirmed(const std::vector<NumberPair>& hits, const Mesh& a,
                                                  const Pose& pose_a, const Mesh& b, const Pose& pose_b);

/// A query with all that is known about it.
struct ChipSearch {
  Configuration configuration;
  Structure structure;
  AxisChoice axes;
};
struct ChipAnswer {
  ChipRun run;
  std::uint64_t row_misses = 0, refreshes = 0;
  std::string_view fell_back;  ///< why its hits are not to be used; empty if they are
};
[[nodiscard]] ChipAnswer ask_chip(const DopPair& bodies, const ChipSearch& search, const Watch& watch = {});

}  // namespace snug::chip
