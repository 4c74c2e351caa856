#pragma once

#include "chip/image.hpp"
#include "support/rooms.hpp"

#include <array>
#include <optional>

// A unit that refits the tree of a body whose vertices have moved, on the chip; a study, not part of the contract. The host sends corners
// and a few numbers; links lie in memory once more, one behind the other. The unit goes through the nodes from the last to the first: a leaf's coefficients come from its triangle, those
// of other nodes from their children, which came just before, so that they wait on a stack of DOPs and are never read again.

namespace snug::chip {

/// How a coefficient is made of a sum S of corners' coordinates along a direction of m components +1 or -1:
/// floor(S κ[m] / 2^(W + 4)) + add[m], κ rounded up for sums above 0 and down for others. Never below what a host would round up.
struct RefitSetup {
  std::uint32_t nodes = 0, triangles = 0, links = 0;  ///< addresses, in bursts
  std::uint32_t count = 0;                            ///< of nodes
  std::array<std::int64_t, 4> up{}, down{}, add{};
};

/// The tree of a body that has moved as a host prepares it for refitting: no DOPs, and room for the unit's rounding.
[[nodiscard]] DopTree tree_to_refit(const DopTree& tree, const Mesh& moved, unsigned width);

/// For both bodies of an image made with such trees, to which their links are added; none if there is no room for rounding: for bodies that are nothing beside the error
/// of their poses.
[[nodiscard]] std::optional<std::array<RefitSetup, 2>> refit_setups(const DopPair& bodies, Image& image,
                                                                    const Configuration& configuration);

/// Made of corners, then.
[[nodiscard]] DopWords refitted_leaf(const fixed::TriangleWords& corners, const RefitSetup& setup,
                                     unsigned width) noexcept;

struct RefitCounters {
  std::uint64_t clocks = 0, bursts_read = 0, bursts_written = 0;
  std::uint64_t most_waiting = 0;  ///< DOPs on the stack
};
/// What such a unit is made of.
struct RefitStructure {
  unsigned multipliers = 4;  ///< coefficients of a leaf that are made in a clock
  unsigned stages = 6;       ///< from corners to the first of them
  unsigned ahead = 16;       ///< nodes whose links or triangles are under way or there
  unsigned together = 8;     ///< records written before anything is read again
};

/// Refits one body, clock by clock, on memory that nobody else uses meanwhile; `words` is what lies in it.
[[nodiscard]] RefitCounters refit(const RefitSetup& setup, const Configuration& configuration,
                                  const RefitStructure& structure, Words& words, DdrMemory& memory);

}  // namespace snug::chip
