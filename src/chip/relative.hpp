#pragma once

#include "bvh/dop24/records.hpp"
#include "chip/bits.hpp"
#include "chip/stack.hpp"
#include "support/rooms.hpp"

#include <array>

// Coefficients of children relative to their parent; a study, not part of the contract. A record holds both children of a node, each
//
//   24 numbers of q bits, how much less than the parent's a coefficient is at least, in units of 2^shift | shift, 6 bits |
//   link, 32 bits | leaf, 1 bit
//
// with the record of its own children for a link, or its triangle. A coefficient that is read is never below the true one, and never
// above the parent's: it was rounded up, from what is read of the parent, so that nothing adds up from level to level. Record 0 holds
// the root alone, relative to a DOP of the largest coefficients there are. A node's number is twice its record's, plus 1 for the second.

namespace snug::chip {

inline constexpr unsigned k_least_relative_bits = 1, k_most_relative_bits = 19;

[[nodiscard]] constexpr unsigned relative_child_bits(unsigned q) noexcept { return 24 * q + 6 + 32 + 1; }
[[nodiscard]] constexpr unsigned relative_record_bursts(unsigned q) noexcept {
  return (2 * relative_child_bits(q) + 511) / 512;
}
static_assert(relative_record_bursts(9) == 1 && relative_record_bursts(10) == 2 && relative_record_bursts(19) == 2);

/// What the root is relative to.
[[nodiscard]] DopWords largest_dop(unsigned width) noexcept;

struct RelativeChild {
  std::array<std::uint32_t, 24> less{};
  unsigned shift = 0;
};
/// With the shift that leaves least in all: no coefficient of `child` may be above that of `parent`.
[[nodiscard]] RelativeChild relative_to(const DopWords& parent, const DopWords& child, unsigned q) noexcept;
[[nodiscard]] DopWords absolute(const DopWords& parent, const RelativeChild& child) noexcept;

/// A child as it is read from a record.
struct ReadChild {
  RelativeChild coefficients;
  DopLinks links;  ///< numbers of its children, or its triangle
};
[[nodiscard]] ReadChild read_child(const std::uint64_t* record, unsigned second, unsigned q) noexcept;

/// All records of a tree, as many as it has leaves.
[[nodiscard]] Words relative_records(const DopRecords& records, unsigned q);

}  // namespace snug::chip
