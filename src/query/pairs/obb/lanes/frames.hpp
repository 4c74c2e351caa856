#pragma once

#include "bvh/obb8/lanes/boxes.hpp"
#include "query/pairs/obb/lanes/slots.hpp"
#include "query/pairs/obb/relative_pose.hpp"

// Nodes and blocks of both trees in the frame of a, each relative to its own origin. A node meets several of the other tree,
// mostly one soon after the other, so the last ones are kept.

namespace snug::lanes::SNUG_LANES {

/// The boxes of a node's children.
struct FramedNode {
  Boxes boxes;
  double origin[3];
  float step;  ///< of its coordinates
};

/// A block with what every comparison needs.
struct FramedBlock {
  Float8 corner[3][3];
  Float8 lo[3], hi[3];
  double origin[3];
  float all_lo[3], all_hi[3];  ///< of the whole block
  float step;

  bool has_planes;   ///< what follows is only made for blocks whose triangles come close
  Float8 normal[3];  ///< of twice the area
  Float8 height;     ///< of the plane along it
  Float8 area;       ///< length of the normal
  Float8 longest;    ///< edge
  Float8 extent;     ///< largest side of the box

  void find_boxes() noexcept {
    for (int i = 0; i < 3; ++i) {
      lo[i] = min(min(corner[0][i], corner[1][i]), corner[2][i]);
      hi[i] = max(max(corner[0][i], corner[1][i]), corner[2][i]);
      all_lo[i] = least(lo[i]), all_hi[i] = greatest(hi[i]);
    }
    has_planes = false;
  }
  void find_planes() noexcept {
    if (has_planes) return;
    has_planes = true;
    Float8 u[3], v[3], w[3];
    for (int i = 0; i < 3; ++i) {
      u[i] = corner[1][i] - corner[0][i];
      v[i] = corner[2][i] - corner[0][i];
      w[i] = corner[2][i] - corner[1][i];
    }
    cross(u, v, normal);
    height = dot(normal, corner[0]);
    area = sqrt(dot(normal, normal));
    longest = sqrt(max(max(dot(u, u), dot(v, v)), dot(w, w)));
    extent = max(max(hi[0] - lo[0], hi[1] - lo[1]), hi[2] - lo[2]);
  }
};

/// Turns a vector of b into the frame of a. T: Float8 or float.
template <class T>
inline void turned(const RelativePose& pose, const T from[3], T to[3]) noexcept {
  for (int i = 0; i < 3; ++i) {
    const float* row = pose.rotation_f + 3 * i;
    to[i] = (T(row[0]) * from[0] + T(row[1]) * from[1]) + T(row[2]) * from[2];
  }
}

/// From one origin to another.
template <class From, class To>
inline void offset_between(const From& from, const To& to, float offset[3]) noexcept {
  for (int i = 0; i < 3; ++i) offset[i] = static_cast<float>(to.origin[i] - from.origin[i]);
}

/// More than products of lengths can lose when they underflow.
inline constexpr float k_underflow = 0x1p-126F;

/// Bound on the rounding of a separation: all lengths that go into it are below the sum of these. Steps in the unit of the
/// pair. See docs/exactness.md.
inline float separation_error(const RelativePose& pose, const float offset[3], float step_a, float step_b) noexcept {
  const float reach = 4 * 32768.0F * (step_a + step_b);
  const float lengths =
      (__builtin_fabsf(offset[0]) + __builtin_fabsf(offset[1])) + (__builtin_fabsf(offset[2]) + reach);
  return 0x1p-18F * lengths + static_cast<float>(pose.error) * 1.001F;
}

class Frames {
 public:
  template <class Search>
  explicit Frames(Search& search) noexcept
      : pose_(search.pose),
        counts_(search.counts),
        nodes_a_(search.nodes_a),
        nodes_b_(search.nodes_b),
        blocks_a_(search.blocks_a),
        blocks_b_(search.blocks_b) {}

  // What is returned stays until the next of the same kind.

  const FramedNode& node_a(std::uint32_t index) noexcept {
    return kept_nodes_a_.get(index, [&](FramedNode& out) {
      const ObbNode& node = nodes_a_[index];
      decode(node, pose_.scale_a, out.boxes);
      place_a(node.origin, node.step, out);
    });
  }
  const FramedNode& node_b(std::uint32_t index) noexcept {
    return kept_nodes_b_.get(index, [&](FramedNode& out) {
      const ObbNode& node = nodes_b_[index];
      counts_.box_updates += node.count;
      Boxes own;
      decode(node, pose_.scale_b, own);
      for (int i = 0; i < 3; ++i)
        turned<Float8>(pose_, own.axis[i], out.boxes.axis[i]), out.boxes.half[i] = own.half[i];
      turned<Float8>(pose_, own.centre, out.boxes.centre);
      place_b(node.origin, node.step, out);
    });
  }
  FramedBlock& block_a(Slot slot) noexcept {
    const std::uint32_t index = block_of(nodes_a_, slot);
    return kept_blocks_a_.get(index, [&](FramedBlock& out) {
      const TriangleBlock& block = blocks_a_[index];
      place_a(block.origin, block.step, out);
      const Float8 step(out.step);
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) out.corner[k][i] = Float8::load(block.corner[k][i]) * step;
      out.find_boxes();
    });
  }
  FramedBlock& block_b(Slot slot) noexcept {
    const std::uint32_t index = block_of(nodes_b_, slot);
    return kept_blocks_b_.get(index, [&](FramedBlock& out) {
      const TriangleBlock& block = blocks_b_[index];
      place_b(block.origin, block.step, out);
      const Float8 step(out.step);
      for (int k = 0; k < 3; ++k) {
        Float8 p[3];
        for (int i = 0; i < 3; ++i) p[i] = Float8::load(block.corner[k][i]) * step;
        turned<Float8>(pose_, p, out.corner[k]);
      }
      out.find_boxes();
    });
  }

 private:
  /// The last record of each remainder. Children of a node lie one after the other, so none of them displaces another.
  template <class Record, std::uint32_t size>
  struct Kept {
    Record record[size];
    std::uint32_t index[size];

    Kept() noexcept {
      for (std::uint32_t& i : index) i = ~std::uint32_t{0};
    }
    template <class Make>
    Record& get(std::uint32_t wanted, Make&& make) noexcept {
      const std::uint32_t at = wanted % size;
      if (index[at] != wanted) {
        make(record[at]);
        index[at] = wanted;
      }
      return record[at];
    }
  };

  template <class Framed>
  void place_a(const float origin[3], float step, Framed& out) const noexcept {
    out.step = step * pose_.scale_a;
    for (int i = 0; i < 3; ++i) out.origin[i] = double(origin[i]) * double(pose_.scale_a);
  }
  template <class Framed>
  void place_b(const float origin[3], float step, Framed& out) const noexcept {
    out.step = step * pose_.scale_b;
    const double scale = pose_.scale_b;
    const double p[3] = {double(origin[0]) * scale, double(origin[1]) * scale, double(origin[2]) * scale};
    for (int i = 0; i < 3; ++i) {
      const double* row = pose_.rotation + 3 * i;
      out.origin[i] = ((row[0] * p[0] + row[1] * p[1]) + row[2] * p[2]) + pose_.translation[i];
    }
  }

  const RelativePose& pose_;
  Stats& counts_;
  const ObbNode *nodes_a_, *nodes_b_;
  const TriangleBlock *blocks_a_, *blocks_b_;
  Kept<FramedNode, 16> kept_nodes_a_, kept_nodes_b_;
  Kept<FramedBlock, k_lanes> kept_blocks_a_, kept_blocks_b_;
};

}  // namespace snug::lanes::SNUG_LANES
