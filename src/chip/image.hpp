#pragma once

#include "bvh/dop24/quads.hpp"
#include "chip/system.hpp"
#include "query/pairs/dop/dop.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>

namespace snug::chip {

/// Two bodies at their poses as the chip's host prepares them: what lies in memory and what goes into registers.
struct Image {
  Words words;
  Setup setup;
  /// False if the bodies lie too far apart for doubles or have no triangles: nothing can be told apart then, the chip is of no use.
  bool usable = false;
};

/// Axes in the order of axis_order(): `axes` of them at least, up to `most_axes` if testing goes on; both at most k_most_chip_axes.
struct AxisChoice {
  unsigned axes = 24;
  unsigned most_axes = 24;
  bool go_on = false;
};

/// What lies in memory if it is not what the contract says: a Structure has to be told the same.
struct Layout {
  unsigned relative_bits = 0;                             ///< q of relative.hpp, if not 0
  const QuadTree *quads_a = nullptr, *quads_b = nullptr;  ///< both or none; their trees are those of the bodies
};

[[nodiscard]] Image make_image(const DopPair& bodies, const Configuration& configuration, const AxisChoice& choice,
                               const Layout& layout = {});

/// What a query on the chip came to.
struct ChipRun {
  Counters counters;
  std::vector<NumberPair> hits;  ///< triangles that may meet, in the order in which they were reported
  bool overflow = false, error = false;
  bool cancelled = false;  ///< it was still at work
};

/// Hits of quadrangles, twice their number and 1 for the second triangle, as triangles.
[[nodiscard]] std::vector<NumberPair> triangles_of(const std::vector<NumberPair>& hits, const QuadTree& a,
                                                   const QuadTree& b);

/// Lets a chip work on what is in a memory until it is done, with a host that takes every hit at once; one that is cancelled is reset.
[[nodiscard]] ChipRun run(System& system, const Setup& setup, Memory& memory, const Watch& watch = {});

}  // namespace snug::chip
