#pragma once

#include "query/pairs/obb/lanes/separation.hpp"
#include "query/pairs/obb/lanes/slots.hpp"
#include "query/pairs/obb/lanes/triangles.hpp"
#include "query/pairs/obb/pair_search.hpp"

// The walk through both trees at once.

namespace snug::lanes::SNUG_LANES {

class Walk {
 public:
  explicit Walk(PairSearch& search) noexcept : s_(search), pose_(search.pose), frames_(search) {}

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

  /// False if stopped by whoever takes the candidates. What is left on the stack then, or after a pause, was not looked at.
  bool run() {
    if (!roots_meet()) {
      s_.stack_size = 0;
      return true;
    }
    for (; s_.stack_size > 0 && s_.node_pairs_left > 0; --s_.node_pairs_left) {
      if (!step(s_.stack[--s_.stack_size])) return false;
      if (s_.best_first) decide_all();
      if (s_.candidate_count > (s_.best_first ? 0 : k_candidates) && !hand_on()) return false;
    }
    return finish();
  }

 private:
  /// After so many steps without an answer there may well be none, and all will have to be looked at anyway.
  static constexpr std::uint64_t k_straight_down = 24;
  /// Marks a pair on the stack of which only a is to be opened. Slots do not reach this far.
  static constexpr Slot k_open_a = Slot{1} << 31;
  /// Below a node this many times smaller, the larger one is opened alone.
  static constexpr float k_much_larger = 3;

  bool finish() {
    if (!compare_waiting()) return false;
    decide_all();
    return s_.candidate_count == 0 || hand_on();
  }

  void decide_all() noexcept {
    while (batch_.count != 0) decide(s_, batch_);
  }

  bool hand_on() {
    const std::uint32_t count = s_.candidate_count;
    s_.candidate_count = 0;
    return s_.take(s_.context, s_.candidates, count);
  }

  bool roots_meet() noexcept {
    if (s_.stack_size == 0) return false;
    if (s_.stack_size > 1 || s_.stack[0].a != 0 || s_.stack[0].b != 0) return true;  // a walk that begins in the middle
    return (met_by_one(frames_.node_a(0), 1, frames_.node_b(0), 0).lanes & 1U) != 0;
  }

  bool step(SlotPair pair) {
    ++s_.counts.node_pairs;
    if ((pair.b & k_open_a) != 0) return open_a({pair.a, pair.b & ~k_open_a});
    if (s_.skip != nullptr) {
      const std::uint32_t surface_a = surface_of(s_.nodes_a, s_.blocks_a, pair.a);
      const std::uint32_t surface_b = surface_of(s_.nodes_b, s_.blocks_b, pair.b);
      if (surface_a != k_mixed_surfaces && surface_b != k_mixed_surfaces && s_.skip(s_.context, surface_a, surface_b))
        return true;
    }
    const bool block_a = is_block(s_.nodes_a, pair.a), block_b = is_block(s_.nodes_b, pair.b);
    if (block_a && block_b) return compare(pair);
    if (block_b) return open_a(pair);
    if (block_a) return open_b(pair);
    const float step_a = s_.nodes_a[node_of(s_.nodes_a, pair.a)].step * pose_.scale_a;
    const float step_b = s_.nodes_b[node_of(s_.nodes_b, pair.b)].step * pose_.scale_b;
    if (step_a > k_much_larger * step_b) return open_a(pair);
    if (step_b > k_much_larger * step_a) return open_b(pair);
    return open_both(pair);
  }

  /// Children of a node that a box of the other tree may meet, and how deep.
  struct Met {
    unsigned lanes;
    Float8 apart;
  };
  Met met_by_one(const FramedNode& node, std::uint32_t count, const FramedNode& other, std::uint32_t lane) noexcept {
    float offset[3];
    offset_between(node, other, offset);
    Float8 between[3];
    between_centres(node.boxes, other.boxes, lane, offset, between);
    const Float8 apart = separation(node.boxes, other.boxes, lane, between);
    s_.counts.box_tests += count;
    const Float8 error(separation_error(pose_, offset, node.step, other.step));
    return {((1U << count) - 1U) & ~greater(apart, error), apart};
  }

  /// Children of a against the box of b.
  bool open_a(SlotPair pair) {
    const std::uint32_t index = node_of(s_.nodes_a, pair.a);
    const ObbNode& node = s_.nodes_a[index];
    const Met met = met_by_one(frames_.node_a(index), node.count, frames_.node_b(pair.b >> 3), pair.b & 7);
    const Below a(s_.nodes_a, s_.blocks_a, index), b(s_.nodes_b, s_.blocks_b, pair.b >> 3);
    alignas(32) float gaps[8];
    met.apart.store(gaps);
    begin_pushing();
    for (unsigned left = met.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(left));
      a.fetch(lane);
      found(a, lane, b, pair.b & 7, gaps[lane]);
    }
    return end_pushing();
  }

  /// Children of b against the box of a.
  bool open_b(SlotPair pair) {
    const std::uint32_t index = node_of(s_.nodes_b, pair.b);
    const ObbNode& node = s_.nodes_b[index];
    const Met met = met_by_one(frames_.node_b(index), node.count, frames_.node_a(pair.a >> 3), pair.a & 7);
    const Below a(s_.nodes_a, s_.blocks_a, pair.a >> 3), b(s_.nodes_b, s_.blocks_b, index);
    alignas(32) float gaps[8];
    met.apart.store(gaps);
    begin_pushing();
    for (unsigned left = met.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(left));
      b.fetch(lane);
      found(a, pair.a & 7, b, lane, gaps[lane]);
    }
    return end_pushing();
  }

  bool open_both(SlotPair pair) {
    const std::uint32_t index_a = node_of(s_.nodes_a, pair.a), index_b = node_of(s_.nodes_b, pair.b);
    const FramedNode& b = frames_.node_b(index_b);
    // First b's children against the box around all of a's: it spares the others eight tests each.
    const Met around = met_by_one(b, s_.nodes_b[index_b].count, frames_.node_a(pair.a >> 3), pair.a & 7);
    unsigned of_b = around.lanes;
    if (of_b == 0) return true;
    if (s_.best_first && s_.counts.node_pairs < k_straight_down) of_b = deepest_only(pair.a, index_b * 8, around);
    const FramedNode& a = frames_.node_a(index_a);
    float offset[3];
    offset_between(a, b, offset);
    const Float8 error(separation_error(pose_, offset, a.step, b.step));
    Float8 from[3];
    for (int i = 0; i < 3; ++i) from[i] = a.boxes.centre[i] - Float8(offset[i]);
    const float* const centre_b = numbers_of(b.boxes) + 8 * 9;
    // All tests first and what they found afterwards, so that the processor need not guess between them.
    alignas(32) float gaps[64];
    std::uint64_t met = 0;
    unsigned lanes = 0, rows = 0;
    const std::uint32_t count_a = s_.nodes_a[index_a].count;
    const unsigned all_a = (1U << count_a) - 1U;
    for (; of_b != 0; of_b &= of_b - 1) {
      const auto j = static_cast<std::uint32_t>(__builtin_ctz(of_b));
      const Float8 between[3] = {Float8(centre_b[j]) - from[0], Float8(centre_b[8 + j]) - from[1],
                                 Float8(centre_b[16 + j]) - from[2]};
      const Float8 apart = separation(a.boxes, b.boxes, j, between);
      s_.counts.box_tests += count_a;
      const unsigned row = all_a & ~greater(apart, error);
      met |= std::uint64_t{row} << (8 * j);
      lanes |= row, rows |= static_cast<unsigned>(row != 0) << j;
      apart.store(gaps + 8 * j);
    }
    if (met == 0) return true;
    const Below below_a(s_.nodes_a, s_.blocks_a, index_a), below_b(s_.nodes_b, s_.blocks_b, index_b);
    for (; lanes != 0; lanes &= lanes - 1) below_a.fetch(static_cast<std::uint32_t>(__builtin_ctz(lanes)));
    for (; rows != 0; rows &= rows - 1) below_b.fetch(static_cast<std::uint32_t>(__builtin_ctz(rows)));
    begin_pushing();
    for (; met != 0; met &= met - 1) {
      const auto at = static_cast<std::uint32_t>(__builtin_ctzll(met));
      found(below_a, at & 7, below_b, at >> 3, gaps[at]);
    }
    return end_pushing();
  }

  /// Of b's children that meet the box of a, leaves the one that does so deepest; the others wait on the stack.
  unsigned deepest_only(Slot a, Slot children_of_b, const Met& met) noexcept {
    alignas(32) float gaps[8];
    met.apart.store(gaps);
    auto deepest = static_cast<std::uint32_t>(__builtin_ctz(met.lanes));
    for (unsigned left = met.lanes & (met.lanes - 1); left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(left));
      const bool deeper = gaps[lane] < gaps[deepest];
      s_.stack[s_.stack_size++] = {a, (children_of_b + (deeper ? deepest : lane)) | k_open_a};
      deepest = deeper ? lane : deepest;
    }
    return 1U << deepest;
  }

  void begin_pushing() noexcept { best_ = ~0U, best_gap_ = 0; }
  bool end_pushing() {
    raise_best();
    return waiting_count_ < k_waiting || compare_waiting();
  }

  /// Takes a pair whose boxes meet. Two blocks are compared soon, unless the deepest overlap is to come first.
  void found(const Below& a, std::uint32_t lane_a, const Below& b, std::uint32_t lane_b, float gap) noexcept {
    if (compare_at_once_ && lane_a >= a.inner && lane_b >= b.inner) {
      waiting_[waiting_count_++] = {a.slot_zero + lane_a, b.slot_zero + lane_b};
      return;
    }
    if (s_.best_first && (best_ == ~0U || gap < best_gap_)) best_ = s_.stack_size, best_gap_ = gap;
    s_.stack[s_.stack_size++] = {a.slot_zero + lane_a, b.slot_zero + lane_b};
  }

  /// So many pairs of blocks wait for their memory to arrive.
  static constexpr std::uint32_t k_waiting = 16;

  bool compare_waiting() {
    const std::uint32_t count = waiting_count_;
    waiting_count_ = 0;
    for (std::uint32_t i = 0; i < count; ++i)
      if (!compare(waiting_[i])) return false;
    return true;
  }

  void raise_best() noexcept {
    if (!s_.best_first || best_ == ~0U) return;
    const SlotPair best = s_.stack[best_];
    s_.stack[best_] = s_.stack[s_.stack_size - 1];
    s_.stack[s_.stack_size - 1] = best;
  }

  bool compare(SlotPair pair) {
    compare_blocks(s_, s_.blocks_a[block_of(s_.nodes_a, pair.a)], frames_.block_a(pair.a),
                   s_.blocks_b[block_of(s_.nodes_b, pair.b)], frames_.block_b(pair.b), batch_);
    return s_.candidate_count <= k_candidates || hand_on();
  }

  PairSearch& s_;
  const RelativePose& pose_;
  Frames frames_;
  const bool compare_at_once_ = !s_.best_first && s_.skip == nullptr;
  std::uint32_t best_ = ~0U;
  float best_gap_ = 0;
  TriangleBatch batch_;
  SlotPair waiting_[k_waiting + 64];
  std::uint32_t waiting_count_ = 0;
};

inline bool walk(PairSearch& search) { return Walk(search).run(); }
inline bool expand(PairSearch& search) { return Walk(search).expand(); }

}  // namespace snug::lanes::SNUG_LANES
