#pragma once

#include "device/kernels/layout.h"
#include "query/pairs/dop/dop.hpp"
#include "query/pairs/dop/projection.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

// Pairs of DOP-trees as kernels/dop_walk.cl reads them. Nothing but what the projection of the golden model says, laid out for a
// device.

namespace snug::device {

/// A number that grows with x, for a device that knows no doubles.
[[nodiscard]] inline std::uint64_t ordered_bits(double x) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}

/// Words of a format, and how an axis is laid out with them.
struct NarrowWords {
  using Word = std::int32_t;
  using Sum = std::int64_t;
  using Axis = SnugDopAxis;
  static constexpr const char *k_options = "", *k_kept_options = "-D SNUG_KEPT_TREES=1";
  static SnugI64 sum(Sum s) noexcept { return s; }
};
struct WideWords {
  using Word = std::int64_t;
  using Sum = fixed::int128;
  using Axis = SnugDopWideAxis;
  static constexpr const char *k_options = "-D SNUG_WIDE=1", *k_kept_options = "-D SNUG_WIDE=1 -D SNUG_KEPT_TREES=1";
  static SnugWide sum(Sum s) noexcept { return {static_cast<SnugU64>(s), static_cast<SnugI64>(s >> 64)}; }
};

template <class Words>
[[nodiscard]] typename Words::Axis encode(const LaneAxis<typename Words::Word, typename Words::Sum>& lane) noexcept {
  typename Words::Axis axis{};
  for (std::size_t i = 0; i < 3; ++i) {
    axis.weight[i] = lane.weight[i];
    axis.slabs |= SnugU32{lane.slab[i]} << (8 * i);
  }
  axis.lower = Words::sum(lane.lower), axis.upper = Words::sum(lane.upper);
  return axis;
}

/// What of a pair of bodies depends on where they are.
template <class Words>
class EncodedPair {
 public:
  EncodedPair(const DopPair& pair, const fixed::Format& format)
      : pair_(pair),
        frame_(pair.tree_a, pair.mesh_a.bounds(), pair.pose_a, pair.tree_b, pair.mesh_b.bounds(), pair.pose_b),
        projection_(frame_, pair.tree_a, pair.tree_b, format) {}

  /// Into memory with room for 2 * 8 * groups.
  void axes(unsigned axes, unsigned groups, typename Words::Axis* out) const {
    SNUG_ASSERT(axes <= k_axis_lanes * groups);
    for (unsigned i = 0; i < k_axis_lanes * groups; ++i) {
      LaneAxis<typename Words::Word, typename Words::Sum> a{}, b{};
      if (i < axes)
        projection_.make(axis_for(frame_, axis_order()[i]), a, b);
      else
        projection_.make_none(a, b);
      out[i] = encode<Words>(a);
      out[k_axis_lanes * groups + i] = encode<Words>(b);
    }
  }
  /// How a device rounds coefficients of trees that it keeps. Nothing may be separated if they are all 0.
  [[nodiscard]] SnugDopScenario scenario() const noexcept {
    const fixed::Scenario& s = projection_.scenario();
    if (!s.usable) return {};
    return {{frame_.scale_a, frame_.scale_b}, s.enlargement, s.scale, fixed::k_guard};
  }
  /// For devices that know no doubles: trees as they are for this pair, into memory with room for all nodes of a and then of b.
  void trees(SnugDopNode* nodes, typename Words::Word* coefficients) const {
    for (unsigned body = 0; body < 2; ++body) {
      const DopTree& tree = body == 0 ? pair_.tree_a : pair_.tree_b;
      const double scale = body == 0 ? frame_.scale_a : frame_.scale_b;
      SNUG_ASSERT(tree.links.size() == tree.dops.size());
      for (std::size_t i = 0; i < tree.links.size(); ++i) {
        *nodes++ = {tree.links[i].left, tree.links[i].right, ordered_bits(tree.dops[i].width() * scale)};
        projection_.prepare(body, tree.dops[i], reinterpret_cast<std::byte*>(coefficients));
        coefficients += tree.dops[i].d.size();
      }
    }
  }

 private:
  const DopPair& pair_;
  DopFrame frame_;
  FixedProjection<typename Words::Sum, typename Words::Word> projection_;
};

/// A node of a tree that is kept as it is.
[[nodiscard]] inline SnugDopNode kept_node(const DopTree& tree, std::size_t node) noexcept {
  SNUG_ASSERT(node < tree.links.size() && tree.links.size() == tree.dops.size());
  return {tree.links[node].left, tree.links[node].right, std::bit_cast<std::uint64_t>(tree.dops[node].width())};
}

}  // namespace snug::device
