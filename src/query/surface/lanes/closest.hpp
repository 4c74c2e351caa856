#pragma once

#include "query/surface/closest_search.hpp"
#include "query/surface/lanes/separation.hpp"
#include "query/surface/lanes/slots.hpp"
#include "query/surface/lanes/triangles.hpp"

// The walk for the closest two triangles: depth first, the nearest boxes on top, whatever is further away than the best so
// far left out.

namespace snug::detail::SNUG_LANES {

/// Lower bounds on the distances of eight boxes from one: in the frame of either, the other lies in a box of that frame, and
/// the gaps along its axes add up as squares. Rounded; see separation_error().
template <class One>
inline Float8 box_distance(const Boxes& a, One&& b) noexcept {
  const Float8 zero(0.0F);
  Float8 along_a[3], along_b[3], in_a(0.0F), in_b(0.0F);
  gaps_between(a, b, along_a, along_b);
  for (int i = 0; i < 3; ++i) {
    const Float8 gap_a = max(along_a[i], zero), gap_b = max(along_b[i], zero);
    in_a = in_a + gap_a * gap_a;
    in_b = in_b + gap_b * gap_b;
  }
  return sqrt(max(in_a, in_b));
}

/// How far boxes reach along a direction.
inline Float8 reach_along(const float direction[3], const Boxes& boxes) noexcept {
  const Float8 n[3] = {Float8(direction[0]), Float8(direction[1]), Float8(direction[2])};
  Float8 reach(0.0F);
  for (int i = 0; i < 3; ++i) reach = reach + abs(dot(n, boxes.axis[i])) * boxes.half[i];
  return reach;
}
inline Float8 middle_along(const float direction[3], const Boxes& boxes) noexcept {
  const Float8 n[3] = {Float8(direction[0]), Float8(direction[1]), Float8(direction[2])};
  return dot(n, boxes.centre);
}
inline float gap_along(const float direction[3], const Box1& box, float side) noexcept {
  float middle = 0, reach = 0;
  for (int i = 0; i < 3; ++i) {
    middle += direction[i] * box.centre[i];
    const float d = direction[0] * box.axis[i][0] + direction[1] * box.axis[i][1] + direction[2] * box.axis[i][2];
    reach += __builtin_fabsf(d) * box.half[i];
  }
  return middle + side * reach;
}

/// Lower bounds on the distances of eight pairs of triangles, by the method of Gilbert (1966): any direction yields a true
/// bound, the gap between what reaches furthest from both sides, and each round turns the direction towards the best.
inline Float8 gap_of(const float a[3][3][8], const float b[3][3][8]) noexcept {
  Float8 p[3][3], q[3][3], v[3];
  const Float8 third(1.0F / 3), zero(0.0F), tiny(0x1p-100F);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) p[k][i] = Float8::load(a[k][i]), q[k][i] = Float8::load(b[k][i]);
    v[i] = (((q[0][i] + q[1][i]) + q[2][i]) - ((p[0][i] + p[1][i]) + p[2][i])) * third;
  }
  Float8 best(0.0F);
  for (int round = 0; round < 6; ++round) {
    const Float8 along_p[3] = {dot(v, p[0]), dot(v, p[1]), dot(v, p[2])};
    const Float8 along_q[3] = {dot(v, q[0]), dot(v, q[1]), dot(v, q[2])};
    const Float8 furthest_p = max(max(along_p[0], along_p[1]), along_p[2]);
    const Float8 furthest_q = min(min(along_q[0], along_q[1]), along_q[2]);
    const Float8 squared = dot(v, v);
    best = max((furthest_q - furthest_p) / sqrt(max(squared, tiny)), best);
    // Towards the difference of those two corners, as far as it brings the origin nearer.
    Float8 w[3], d[3];
    for (int i = 0; i < 3; ++i) {
      const Float8 from = choose(furthest_p, along_p[0], choose(furthest_p, along_p[1], p[2][i], p[1][i]), p[0][i]);
      const Float8 to = choose(along_q[0], furthest_q, choose(along_q[1], furthest_q, q[2][i], q[1][i]), q[0][i]);
      w[i] = to - from;
      d[i] = v[i] - w[i];
    }
    const Float8 t = min(max(dot(v, d) / max(dot(d, d), tiny), zero), Float8(1.0F));
    for (int i = 0; i < 3; ++i) v[i] = v[i] - t * d[i];
  }
  return best;
}

class ClosestWalk {
 public:
  explicit ClosestWalk(ClosestSearch& search) noexcept : s_(search), pose_(search.pose) {}

  /// False if ended early; what was not looked at is then on the stack.
  bool run() {
    while (s_.stack_size > 0) {
      const SlotPairBound next = s_.stack[s_.stack_size - 1];
      if (next.bound > s_.best) {
        --s_.stack_size;
        continue;
      }
      if (s_.node_pairs_left == 0) return false;
      --s_.node_pairs_left, --s_.stack_size;
      if (!step(next.pair)) return false;
    }
    return true;
  }

 private:
  static constexpr float k_much_larger = 3;

  bool step(SlotPair pair) {
    ++s_.counts.node_pairs;
    const bool block_a = is_block(s_.nodes_a, pair.a), block_b = is_block(s_.nodes_b, pair.b);
    if (block_a && block_b) return compare(block_of(s_.nodes_a, pair.a), block_of(s_.nodes_b, pair.b));
    begin_ = s_.stack_size;
    if (block_b) {
      open_a(pair);
    } else if (block_a) {
      open_b(pair);
    } else {
      const float step_a = s_.nodes_a[node_of(s_.nodes_a, pair.a)].step * pose_.scale_a;
      const float step_b = s_.nodes_b[node_of(s_.nodes_b, pair.b)].step * pose_.scale_b;
      if (step_a > k_much_larger * step_b)
        open_a(pair);
      else if (step_b > k_much_larger * step_a)
        open_b(pair);
      else
        open_both(pair);
    }
    return true;
  }

  void open_a(SlotPair pair) noexcept {
    const std::uint32_t index = node_of(s_.nodes_a, pair.a);
    const ObbNode &node = s_.nodes_a[index], &parent_b = s_.nodes_b[pair.b >> 3];
    Boxes a;
    Box1 own, b;
    decode(node, pose_.scale_a, a);
    decode(parent_b, pair.b & 7, pose_.scale_b, own);
    float offset[3];
    between_origins(pose_, node.origin, parent_b.origin, offset);
    bring<float>(pose_, offset, own, b);
    const float error = separation_error(pose_, offset, node.step, parent_b.step);
    s_.counts.box_tests += node.count, ++s_.counts.box_updates;
    const Float8 nearest_b(gap_along(s_.along, b, -1.0F));
    const Float8 along = nearest_b - (middle_along(s_.along, a) + reach_along(s_.along, a));
    push((1U << node.count) - 1U, max(box_distance(a, lanes_of(b)), along), error,
         [&](std::uint32_t lane) { return SlotPair{index * 8 + lane, pair.b}; });
  }

  void open_b(SlotPair pair) noexcept {
    const std::uint32_t index = node_of(s_.nodes_b, pair.b);
    const ObbNode &node = s_.nodes_b[index], &parent_a = s_.nodes_a[pair.a >> 3];
    Boxes own, b;
    Box1 a;
    decode(node, pose_.scale_b, own);
    decode(parent_a, pair.a & 7, pose_.scale_a, a);
    float offset[3];
    between_origins(pose_, parent_a.origin, node.origin, offset);
    bring<Float8>(pose_, offset, own, b);
    const float error = separation_error(pose_, offset, parent_a.step, node.step);
    s_.counts.box_tests += node.count, s_.counts.box_updates += node.count;
    const Float8 nearest_a(gap_along(s_.along, a, 1.0F));
    const Float8 along = (middle_along(s_.along, b) - reach_along(s_.along, b)) - nearest_a;
    push((1U << node.count) - 1U, max(box_distance(b, lanes_of(a)), along), error,
         [&](std::uint32_t lane) { return SlotPair{pair.a, index * 8 + lane}; });
  }

  void open_both(SlotPair pair) noexcept {
    const std::uint32_t index_a = node_of(s_.nodes_a, pair.a), index_b = node_of(s_.nodes_b, pair.b);
    const ObbNode &node_a = s_.nodes_a[index_a], &node_b = s_.nodes_b[index_b], &parent_a = s_.nodes_a[pair.a >> 3];
    Boxes a, own, b;
    decode(node_b, pose_.scale_b, own);
    float offset[3];
    between_origins(pose_, node_a.origin, node_b.origin, offset);
    bring<Float8>(pose_, offset, own, b);
    Box1 around;
    decode(parent_a, pair.a & 7, pose_.scale_a, around);
    for (int i = 0; i < 3; ++i) around.centre[i] += (parent_a.origin[i] - node_a.origin[i]) * pose_.scale_a;
    const float error = separation_error(pose_, offset, node_a.step + parent_a.step, node_b.step);
    const Float8 limit = Float8(s_.best) + Float8(2 * error);
    unsigned of_b = ((1U << node_b.count) - 1U) & ~greater(shortened(box_distance(b, lanes_of(around))), limit);
    s_.counts.box_tests += node_b.count, s_.counts.box_updates += node_b.count;
    if (of_b == 0) return;
    decode(node_a, pose_.scale_a, a);
    const Float8 nearest_a = middle_along(s_.along, a) + reach_along(s_.along, a);
    alignas(32) float nearest_b[8];
    (middle_along(s_.along, b) - reach_along(s_.along, b)).store(nearest_b);
    alignas(32) float lanes[15][8];
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) b.axis[i][k].store(lanes[3 * i + k]);
      b.centre[i].store(lanes[9 + i]);
      b.half[i].store(lanes[12 + i]);
    }
    for (; of_b != 0; of_b &= of_b - 1) {
      const auto j = static_cast<std::uint32_t>(__builtin_ctz(of_b));
      s_.counts.box_tests += node_a.count;
      const Float8 apart = box_distance(a, [&](int k) { return Float8(lanes[k][j]); });
      push((1U << node_a.count) - 1U, max(apart, Float8(nearest_b[j]) - nearest_a), error,
           [&](std::uint32_t lane) { return SlotPair{index_a * 8 + lane, index_b * 8 + j}; });
    }
  }

  /// Axes are orthonormal, and roots rounded, to far less than this.
  static Float8 shortened(const Float8& distance) noexcept { return distance * Float8(1 - 0x1p-18F); }

  /// Puts pairs on the stack, those pushed since the step began kept in order, the nearest on top.
  template <class PairOf>
  void push(unsigned lanes, const Float8& distances, float error, PairOf&& pair_of) noexcept {
    // Each of three gaps may be too large by the error.
    const Float8 bounds = max(shortened(distances) - Float8(2 * error), Float8(0.0F));
    alignas(32) float bound[8];
    bounds.store(bound);
    lanes &= ~greater(bounds, Float8(s_.best));
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(lanes));
      const SlotPair pair = pair_of(lane);
      fetch_below(s_.nodes_a, s_.blocks_a, pair.a), fetch_below(s_.nodes_b, s_.blocks_b, pair.b);
      std::uint32_t at = s_.stack_size++;
      for (; at > begin_ && s_.stack[at - 1].bound < bound[lane]; --at) s_.stack[at] = s_.stack[at - 1];
      s_.stack[at] = {pair, bound[lane]};
    }
  }

  /// Triangle pairs of two blocks whose boxes and planes allow them to be near enough.
  bool compare(std::uint32_t index_a, std::uint32_t index_b) {
    FramedBlock& a = a_[index_a % k_lanes];
    FramedBlock& b = b_[index_b % k_lanes];
    const TriangleBlock &block_a = s_.blocks_a[index_a], &block_b = s_.blocks_b[index_b];
    if (a.index != index_a) frame_a(block_a, pose_, a), a.index = index_a;
    if (b.index != index_b) frame_b(block_b, pose_, b), b.index = index_b;
    float offset[3];
    between_origins(pose_, block_a.origin, block_b.origin, offset);
    const BlockBounds bounds(pose_, block_a, block_b, offset);
    const Float8 both(bounds.error_a + bounds.error_b), zero(0.0F);
    s_.counts.triangle_tests += std::uint64_t{block_a.count} * block_b.count;
    struct alignas(32) {
      float lo[3][8], hi[3][8];
    } of_b;
    for (int i = 0; i < 3; ++i) {
      (b.lo[i] + Float8(offset[i])).store(of_b.lo[i]);
      (b.hi[i] + Float8(offset[i])).store(of_b.hi[i]);
    }
    const Float8 n[3] = {Float8(s_.along[0]), Float8(s_.along[1]), Float8(s_.along[2])};
    const Float8 nearest_a = max(max(dot(n, a.corner[0]), dot(n, a.corner[1])), dot(n, a.corner[2]));
    const float shift = (s_.along[0] * offset[0] + s_.along[1] * offset[1]) + s_.along[2] * offset[2];
    alignas(32) float nearest_b[8];
    (min(min(dot(n, b.corner[0]), dot(n, b.corner[1])), dot(n, b.corner[2])) + Float8(shift)).store(nearest_b);
    const Float8 rounding = both + Float8(0x1p-19F * bounds.reach);
    struct alignas(32) {
      float a[3][3][8], b[3][3][8];
      std::uint32_t lane_a[8], lane_b[8];
      std::uint32_t count = 0;
    } some;
    for (std::uint32_t l = 0; l < 8; ++l) some.lane_a[l] = some.lane_b[l] = 0;
    const float* const corners_a = reinterpret_cast<const float*>(a.corner);
    const float* const corners_b = reinterpret_cast<const float*>(b.corner);
    std::uint32_t count = 0;
    const auto refine = [&] {
      alignas(32) float bound[8];
      max(shortened(gap_of(some.a, some.b) - rounding), zero).store(bound);
      for (std::uint32_t l = 0; l < some.count; ++l) {
        if (bound[l] > s_.best) continue;
        // The nearest first, so that it may spare the others.
        std::uint32_t at = count++;
        for (; at > 0 && s_.candidates[at - 1].bound > bound[l]; --at) s_.candidates[at] = s_.candidates[at - 1];
        s_.candidates[at] = {block_a.id[some.lane_a[l]], block_b.id[some.lane_b[l]], bound[l]};
      }
      some.count = 0;
    };
    for (std::uint32_t j = 0; j < block_b.count; ++j) {
      Float8 squares(0.0F);
      for (int i = 0; i < 3; ++i) {
        const Float8 gap = max(max(Float8(of_b.lo[i][j]) - a.hi[i], a.lo[i] - Float8(of_b.hi[i][j])) - both, zero);
        squares = squares + gap * gap;
      }
      const Float8 along = (Float8(nearest_b[j]) - nearest_a) - rounding;
      const Float8 distance = shortened(max(sqrt(squares), along));
      unsigned left = ((1U << block_a.count) - 1U) & ~greater(distance, Float8(s_.best));
      for (; left != 0; left &= left - 1) {
        const auto i = static_cast<std::uint32_t>(__builtin_ctz(left));
        for (int k = 0; k < 3; ++k)
          for (int axis = 0; axis < 3; ++axis) {
            some.a[k][axis][some.count] = corners_a[(3 * k + axis) * 8 + i];
            some.b[k][axis][some.count] = corners_b[(3 * k + axis) * 8 + j] + offset[axis];
          }
        some.lane_a[some.count] = i, some.lane_b[some.count] = j;
        if (++some.count == 8) refine();
      }
    }
    if (some.count != 0) {
      // Lanes that are left over repeat the first.
      for (std::uint32_t l = some.count; l < 8; ++l)
        for (int k = 0; k < 3; ++k)
          for (int axis = 0; axis < 3; ++axis)
            some.a[k][axis][l] = some.a[k][axis][0], some.b[k][axis][l] = some.b[k][axis][0];
      refine();
    }
    return count == 0 || s_.take(s_, count);
  }

  ClosestSearch& s_;
  const RelativePose& pose_;
  std::uint32_t begin_ = 0;
  FramedBlock a_[k_lanes];
  FramedBlock b_[k_lanes];
};

inline bool closest(ClosestSearch& search) { return ClosestWalk(search).run(); }

}  // namespace snug::detail::SNUG_LANES
