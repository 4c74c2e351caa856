#pragma once

#include "device/kernels/layout.h"
#include "query/dop/dop.hpp"
#include "query/dop/projection.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

// Pairs of DOP-trees as kernels/dop_walk.cl reads them. Nothing but what the projection of the golden model says, laid out for a
// device.

namespace snug::detail {

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
  static constexpr const char* k_options = "";
  static SnugI64 sum(Sum s) noexcept { return s; }
};
struct WideWords {
  using Word = std::int64_t;
  using Sum = fixed::int128;
  using Axis = SnugDopWideAxis;
  static constexpr const char* k_options = "-D SNUG_WIDE=1";
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

/// One pair of bodies, into memory with room for all nodes of a and then of b, and for 2 * 8 * groups axes.
template <class Words>
void encode_pair(const DopPair& pair, unsigned axes, unsigned groups, const fixed::Format& format, SnugDopNode* nodes,
                 typename Words::Word* coefficients, typename Words::Axis* out) {
  const DopFrame frame(pair.tree_a, pair.mesh_a.bounds(), pair.pose_a, pair.tree_b, pair.mesh_b.bounds(), pair.pose_b);
  const FixedProjection<typename Words::Sum, typename Words::Word> projection(frame, pair.tree_a, pair.tree_b, format);
  for (unsigned body = 0; body < 2; ++body) {
    const DopTree& tree = body == 0 ? pair.tree_a : pair.tree_b;
    const double scale = body == 0 ? frame.scale_a : frame.scale_b;
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      *nodes++ = {tree.links[i].left, tree.links[i].right, ordered_bits(tree.dops[i].width() * scale)};
      projection.prepare(body, tree.dops[i], reinterpret_cast<std::byte*>(coefficients));
      coefficients += tree.dops[i].d.size();
    }
  }
  for (unsigned i = 0; i < k_axis_lanes * groups; ++i) {
    LaneAxis<typename Words::Word, typename Words::Sum> a{}, b{};
    if (i < axes)
      projection.make(axis_for(frame, axis_order()[i]), a, b);
    else
      projection.make_none(a, b);
    out[i] = encode<Words>(a);
    out[k_axis_lanes * groups + i] = encode<Words>(b);
  }
}

}  // namespace snug::detail
