#pragma once

#include "query/surface/lanes/separation.hpp"
#include "query/surface/lanes/slots.hpp"
#include "query/surface/lanes/triangles.hpp"
#include "query/surface/pair_search.hpp"

// The walk through both trees at once.

namespace snug::detail::SNUG_LANES {

class Walk {
 public:
  explicit Walk(PairSearch& search) noexcept : s_(search), pose_(search.pose) {}

  /// Opens every pair on the stack once: what is left there holds all that may meet, in smaller parts.
  bool expand() {
    if (!roots_meet()) {
      s_.stack_size = 0;
      return true;
    }
    const std::uint32_t before = s_.stack_size;
    for (std::uint32_t i = 0; i < before; ++i)
      if (!step(s_.stack[i])) return false;
    s_.stack_size -= before;
    for (std::uint32_t i = 0; i < s_.stack_size; ++i) s_.stack[i] = s_.stack[before + i];
    return finish();
  }

  /// False if stopped by whoever takes the candidates.
  bool run() {
    if (!roots_meet()) return true;
    while (s_.stack_size > 0) {
      if (!step(s_.stack[--s_.stack_size])) return false;
      if (s_.best_first && batch_.count != 0) decide(s_, batch_);
      if (s_.candidate_count > (s_.best_first ? 0 : k_candidates) && !hand_on()) return false;
    }
    return finish();
  }

 private:
  /// Below a node this many times smaller, the larger one is opened alone.
  static constexpr float k_much_larger = 3;

  bool finish() {
    if (!compare_waiting()) return false;
    if (batch_.count != 0) decide(s_, batch_);
    return s_.candidate_count == 0 || hand_on();
  }

  bool hand_on() {
    const std::uint32_t count = s_.candidate_count;
    s_.candidate_count = 0;
    return s_.take(s_.context, s_.candidates, count);
  }

  void push(Slot a, Slot b) noexcept { s_.stack[s_.stack_size++] = {a, b}; }

  bool roots_meet() noexcept {
    if (s_.stack_size == 0) return false;
    if (s_.stack_size > 1 || s_.stack[0].a != 0 || s_.stack[0].b != 0) return true;  // a walk that begins in the middle
    Boxes a;
    Box1 own, b;
    decode(s_.nodes_a[0], pose_.scale_a, a);
    decode(s_.nodes_b[0], 0, pose_.scale_b, own);
    float offset[3];
    between_origins(pose_, s_.nodes_a[0].origin, s_.nodes_b[0].origin, offset);
    bring<float>(pose_, offset, own, b);
    ++s_.counts.box_tests;
    const float error = separation_error(pose_, offset, s_.nodes_a[0].step, s_.nodes_b[0].step);
    return (greater(separation(a, lanes_of(b)), Float8(error)) & 1U) == 0;
  }

  bool step(SlotPair pair) {
    ++s_.counts.node_pairs;
    if (s_.skip != nullptr) {
      const std::uint32_t surface_a = surface_of(s_.nodes_a, s_.blocks_a, pair.a);
      const std::uint32_t surface_b = surface_of(s_.nodes_b, s_.blocks_b, pair.b);
      if (surface_a != k_mixed_surfaces && surface_b != k_mixed_surfaces && s_.skip(s_.context, surface_a, surface_b))
        return true;
    }
    const bool block_a = is_block(s_.nodes_a, pair.a), block_b = is_block(s_.nodes_b, pair.b);
    if (block_a && block_b) return compare(block_of(s_.nodes_a, pair.a), block_of(s_.nodes_b, pair.b));
    if (block_b) return open_a(pair);
    if (block_a) return open_b(pair);
    const float step_a = s_.nodes_a[node_of(s_.nodes_a, pair.a)].step * pose_.scale_a;
    const float step_b = s_.nodes_b[node_of(s_.nodes_b, pair.b)].step * pose_.scale_b;
    if (step_a > k_much_larger * step_b) return open_a(pair);
    if (step_b > k_much_larger * step_a) return open_b(pair);
    return open_both(pair);
  }

  /// Children of a against the box of b.
  bool open_a(SlotPair pair) {
    const std::uint32_t index = node_of(s_.nodes_a, pair.a);
    const ObbNode &node = s_.nodes_a[index], &parent_b = s_.nodes_b[pair.b >> 3];
    Boxes a;
    Box1 own, b;
    decode(node, pose_.scale_a, a);
    decode(parent_b, pair.b & 7, pose_.scale_b, own);
    float offset[3];
    between_origins(pose_, node.origin, parent_b.origin, offset);
    bring<float>(pose_, offset, own, b);
    const Float8 apart = separation(a, lanes_of(b));
    s_.counts.box_tests += node.count, ++s_.counts.box_updates;
    const float error = separation_error(pose_, offset, node.step, parent_b.step);
    begin_pushing();
    const unsigned met = ((1U << node.count) - 1U) & ~greater(apart, Float8(error));
    if (!found(met, apart, [&](std::uint32_t lane) { return SlotPair{index * 8 + lane, pair.b}; })) return false;
    raise_best();
    return true;
  }

  /// Children of b against the box of a.
  bool open_b(SlotPair pair) {
    const std::uint32_t index = node_of(s_.nodes_b, pair.b);
    const ObbNode &node = s_.nodes_b[index], &parent_a = s_.nodes_a[pair.a >> 3];
    Boxes own, b;
    Box1 a;
    decode(node, pose_.scale_b, own);
    decode(parent_a, pair.a & 7, pose_.scale_a, a);
    float offset[3];
    between_origins(pose_, parent_a.origin, node.origin, offset);
    bring<Float8>(pose_, offset, own, b);
    const Float8 apart = separation(b, lanes_of(a));
    s_.counts.box_tests += node.count, s_.counts.box_updates += node.count;
    const float error = separation_error(pose_, offset, parent_a.step, node.step);
    begin_pushing();
    const unsigned met = ((1U << node.count) - 1U) & ~greater(apart, Float8(error));
    if (!found(met, apart, [&](std::uint32_t lane) { return SlotPair{pair.a, index * 8 + lane}; })) return false;
    raise_best();
    return true;
  }

  bool open_both(SlotPair pair) {
    const std::uint32_t index_a = node_of(s_.nodes_a, pair.a), index_b = node_of(s_.nodes_b, pair.b);
    const ObbNode &node_a = s_.nodes_a[index_a], &node_b = s_.nodes_b[index_b], &parent_a = s_.nodes_a[pair.a >> 3];
    Boxes a, own, b;
    decode(node_b, pose_.scale_b, own);
    float offset[3];
    between_origins(pose_, node_a.origin, node_b.origin, offset);
    bring<Float8>(pose_, offset, own, b);
    // First b's children against the box around all of a's: it spares the others eight tests each.
    Box1 around;
    decode(parent_a, pair.a & 7, pose_.scale_a, around);
    for (int i = 0; i < 3; ++i) around.centre[i] += (parent_a.origin[i] - node_a.origin[i]) * pose_.scale_a;
    const Float8 error(separation_error(pose_, offset, node_a.step + parent_a.step, node_b.step));
    unsigned of_b = ((1U << node_b.count) - 1U) & ~greater(separation(b, lanes_of(around)), error);
    s_.counts.box_tests += node_b.count, s_.counts.box_updates += node_b.count;
    if (of_b == 0) return true;
    decode(node_a, pose_.scale_a, a);
    alignas(32) float lanes[15][8];
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) b.axis[i][k].store(lanes[3 * i + k]);
      b.centre[i].store(lanes[9 + i]);
      b.half[i].store(lanes[12 + i]);
    }
    begin_pushing();
    const unsigned all_a = (1U << node_a.count) - 1U;
    for (; of_b != 0; of_b &= of_b - 1) {
      const auto j = static_cast<std::uint32_t>(__builtin_ctz(of_b));
      const Float8 apart = separation(a, [&](int k) { return Float8(lanes[k][j]); });
      s_.counts.box_tests += node_a.count;
      const unsigned met = all_a & ~greater(apart, error);
      if (!found(met, apart, [&](std::uint32_t lane) { return SlotPair{index_a * 8 + lane, index_b * 8 + j}; }))
        return false;
    }
    raise_best();
    return true;
  }

  void begin_pushing() noexcept { best_ = ~0U, best_gap_ = 0; }

  /// Pairs whose boxes meet. Two blocks are compared at once, unless the deepest overlap is to come first.
  template <class PairOf>
  bool found(unsigned met, const Float8& apart, PairOf&& pair_of) {
    if (met == 0) return true;
    alignas(32) float gaps[8];
    if (s_.best_first) apart.store(gaps);
    for (; met != 0; met &= met - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(met));
      const SlotPair pair = pair_of(lane);
      if (!s_.best_first && s_.skip == nullptr && is_block(s_.nodes_a, pair.a) && is_block(s_.nodes_b, pair.b)) {
        const BlockPair blocks{block_of(s_.nodes_a, pair.a), block_of(s_.nodes_b, pair.b)};
        fetch(s_.blocks_a + blocks.a), fetch(s_.blocks_b + blocks.b);
        waiting_[waiting_count_++] = blocks;
        if (waiting_count_ == k_waiting && !compare_waiting()) return false;
        continue;
      }
      if (s_.best_first && (best_ == ~0U || gaps[lane] < best_gap_)) best_ = s_.stack_size, best_gap_ = gaps[lane];
      fetch_below(s_.nodes_a, s_.blocks_a, pair.a), fetch_below(s_.nodes_b, s_.blocks_b, pair.b);
      push(pair.a, pair.b);
    }
    return true;
  }

  struct BlockPair {
    std::uint32_t a, b;
  };
  /// So many pairs of blocks wait for their memory to arrive.
  static constexpr std::uint32_t k_waiting = 16;

  bool compare_waiting() {
    const std::uint32_t count = waiting_count_;
    waiting_count_ = 0;
    for (std::uint32_t i = 0; i < count; ++i)
      if (!compare(waiting_[i].a, waiting_[i].b)) return false;
    return true;
  }

  void raise_best() noexcept {
    if (!s_.best_first || best_ == ~0U) return;
    const SlotPair best = s_.stack[best_];
    s_.stack[best_] = s_.stack[s_.stack_size - 1];
    s_.stack[s_.stack_size - 1] = best;
  }

  bool compare(std::uint32_t block_a, std::uint32_t block_b) {
    FramedBlock& a = a_[block_a % k_lanes];
    FramedBlock& b = b_[block_b % k_lanes];
    if (a.index != block_a) frame_a(s_.blocks_a[block_a], pose_, a), a.index = block_a;
    if (b.index != block_b) frame_b(s_.blocks_b[block_b], pose_, b), b.index = block_b;
    compare_blocks(s_, s_.blocks_a[block_a], a, s_.blocks_b[block_b], b, batch_);
    return s_.candidate_count <= k_candidates || hand_on();
  }

  PairSearch& s_;
  const RelativePose& pose_;
  std::uint32_t best_ = ~0U;
  float best_gap_ = 0;
  // The blocks of a node lie one after the other, so those of the last node pair are all here.
  FramedBlock a_[k_lanes];
  FramedBlock b_[k_lanes];
  TriangleBatch batch_;
  BlockPair waiting_[k_waiting];
  std::uint32_t waiting_count_ = 0;
};

inline bool walk(PairSearch& search) { return Walk(search).run(); }
inline bool expand(PairSearch& search) { return Walk(search).expand(); }

}  // namespace snug::detail::SNUG_LANES
