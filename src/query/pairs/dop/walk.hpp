#pragma once

#include "bvh/dop24/links.hpp"
#include "support/rooms.hpp"

#include <cstddef>
#include <cstdint>

// What the walk through two DOP-trees works on: plain structs and pointers, since it is compiled once for each instruction
// set.

namespace snug::query {

/// Axes are tried eight at a time.
inline constexpr unsigned k_axis_lanes = 8;

/// What Eq. 3 makes of one node, axis by axis: lower[i], the least along axis i, and upper[i], the greatest with its sign
/// changed, for the axes of each group of eight in turn. A pair is apart along an axis if lower of one and upper of the
/// other add up to more than 0: the sums of Eq. 22 split where the two bodies meet. So each node is projected once,
/// however many pairs it is in. The offset is contained in a's images. Behind this struct lie the numbers, sixteen for each
/// group: eight of lower, eight of upper.
template <class Number>
struct alignas(64) DopImages {
  std::uint32_t node;
  std::uint32_t ready;  ///< groups that are there, as bits
  double size;          ///< sum of the slabs' widths, in the unit of the pair
};
static_assert(sizeof(DopImages<double>) == 64);

struct DopNodePair {
  std::uint32_t a, b;
};

/// Both trees, what is pending, and whom to ask for images and to tell of leaves that meet.
template <class Number>
struct DopWalk {
  const DopLinks *links_a, *links_b;
  DopImages<Number>**images_a, **images_b;  ///< by node; null if it was not met yet
  unsigned groups;                          ///< of eight axes
  unsigned last_group = 0;                  ///< that told a pair apart: tried first on the next
  bool queue = false;
  bool last_group_first = true;

  DopNodePair* pending;  ///< pairs that overlap and are still to be opened: from `begin` to `end`
  std::size_t begin = 0, end = 0, room;
  std::size_t most_pending = 0;

  std::uint64_t node_pairs = 0, axis_tests = 0, leaf_pairs = 0;

  void* context;
  DopImages<Number>* (*image)(void* context, unsigned body, std::uint32_t node);
  void (*project)(void* context, unsigned body, DopImages<Number>& images, unsigned group);
  /// Makes room for more pending pairs: sets pending, begin, end and room.
  void (*grow)(void* context, DopWalk& walk);
  /// Leaves that meet, by their triangles; false ends the walk.
  bool (*take)(void* context, std::uint32_t triangle_a, std::uint32_t triangle_b);
};

}  // namespace snug::query
