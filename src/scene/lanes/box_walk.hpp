#pragma once

#include "scene/box_walk.hpp"

// Walks through trees of boxes, one box against the eight of a node at a time.

namespace snug::lanes::SNUG_LANES {

namespace boxes {

/// A node's eight boxes in registers.
struct Eight {
  Float8 lo[3], hi[3];
  explicit Eight(const BoxNode& node) noexcept {
    for (int axis = 0; axis < 3; ++axis) lo[axis] = Float8::load(node.lo[axis]), hi[axis] = Float8::load(node.hi[axis]);
  }
};

/// Bit i says whether box i is no further than the margin from the one given along any axis. Sides are finite but for those of
/// empty boxes among the eight.
inline unsigned sharing(const Eight& eight, const float lo[3], const float hi[3], const Float8& margin) noexcept {
  // The largest gap along any axis and way. Rounding is monotone: no gap within the margin is rounded beyond it.
  Float8 gap = max(eight.lo[0] - Float8(hi[0]), Float8(lo[0]) - eight.hi[0]);
  gap = max(gap, max(eight.lo[1] - Float8(hi[1]), Float8(lo[1]) - eight.hi[1]));
  gap = max(gap, max(eight.lo[2] - Float8(hi[2]), Float8(lo[2]) - eight.hi[2]));
  return ~greater(gap, margin) & 0xffU;
}

/// Of lane `lane` of a node.
inline unsigned sharing(const Eight& eight, const BoxNode& node, std::uint32_t lane, const Float8& margin) noexcept {
  const float lo[3] = {node.lo[0][lane], node.lo[1][lane], node.lo[2][lane]};
  const float hi[3] = {node.hi[0][lane], node.hi[1][lane], node.hi[2][lane]};
  return sharing(eight, lo, hi, margin);
}

inline std::uint32_t lowest(unsigned bits) noexcept { return static_cast<std::uint32_t>(__builtin_ctz(bits)); }

struct Task {
  std::uint32_t a, b, level;
};

class PairWalk {
 public:
  explicit PairWalk(BoxPairWalk& walk) noexcept : walk_(walk), margin_(walk.margin) {}

  void run() {
    for (std::uint32_t i = 0; i < walk_.start_count; ++i) {
      stack_[0] = {walk_.start[i].a, walk_.start[i].b, walk_.start_level};
      size_ = 1;
      while (size_ > 0) {
        const Task task = stack_[--size_];
        into_ = static_cast<std::int32_t>(task.level) - 1;
        if (task.a == task.b)
          inside(task);
        else
          between(task);
        if (count_ > BoxPairWalk::k_room) hand_over();
      }
    }
    hand_over();
  }

 private:
  void hand_over() {
    if (count_ > 0) walk_.take(walk_, count_);
    count_ = 0;
  }

  void add(std::uint32_t a, std::uint32_t b) noexcept {
    if (into_ == walk_.stop_level)
      walk_.found[count_++] = {a, b};
    else
      stack_[size_++] = {a, b, static_cast<std::uint32_t>(into_)};
  }

  void inside(const Task& task) noexcept {
    const BoxNode& node = walk_.levels[task.level][task.a];
    const Eight eight(node);
    for (std::uint32_t i = 0; i < 8; ++i) {
      if (node.lo[0][i] > node.hi[0][i]) continue;
      unsigned bits = sharing(eight, node, i, margin_) & (0xfeU << i);
      for (; bits != 0; bits &= bits - 1) add(8 * task.a + i, 8 * task.a + lowest(bits));
      if (into_ >= 0) add(8 * task.a + i, 8 * task.a + i);
    }
  }

  void between(const Task& task) noexcept {
    const BoxNode &a = walk_.levels[task.level][task.a], &b = walk_.levels[task.level][task.b];
    const BoxNode* parents = walk_.levels[task.level + 1];
    const Eight of_a(a), of_b(b);
    // Only children that reach the other node's box can meet children of it.
    unsigned left = sharing(of_a, parents[task.b / 8], task.b % 8, margin_);
    unsigned right = sharing(of_b, parents[task.a / 8], task.a % 8, margin_);
    if (left == 0 || right == 0) return;
    if (__builtin_popcount(left) <= __builtin_popcount(right)) {
      for (; left != 0; left &= left - 1) {
        const std::uint32_t i = lowest(left);
        for (unsigned bits = sharing(of_b, a, i, margin_) & right; bits != 0; bits &= bits - 1)
          add(8 * task.a + i, 8 * task.b + lowest(bits));
      }
    } else {
      for (; right != 0; right &= right - 1) {
        const std::uint32_t j = lowest(right);
        for (unsigned bits = sharing(of_a, b, j, margin_) & left; bits != 0; bits &= bits - 1)
          add(8 * task.a + lowest(bits), 8 * task.b + j);
      }
    }
  }

  BoxPairWalk& walk_;
  const Float8 margin_;
  std::uint32_t size_ = 0, count_ = 0;
  std::int32_t into_ = 0;
  // Each task opened adds at most 64 of the level below.
  Task stack_[64 * BoxTree::k_most_levels];
};

}  // namespace boxes

inline void walk_box_pairs(BoxPairWalk& walk) { boxes::PairWalk(walk).run(); }

inline void walk_box_query(BoxQueryWalk& walk) {
  struct Node {
    std::uint32_t index, level;
  };
  Node stack[8 * BoxTree::k_most_levels];
  const Float8 touching(0.0F);
  std::uint32_t size = 0, count = 0;
  stack[size++] = {0, walk.height - 1};
  while (size > 0) {
    const Node node = stack[--size];
    const boxes::Eight eight(walk.levels[node.level][node.index]);
    for (unsigned bits = boxes::sharing(eight, walk.box.lo, walk.box.hi, touching); bits != 0; bits &= bits - 1) {
      const std::uint32_t child = 8 * node.index + boxes::lowest(bits);
      if (node.level == 0)
        walk.found[count++] = child;
      else
        stack[size++] = {child, node.level - 1};
    }
    if (count > BoxQueryWalk::k_room) {
      walk.take(walk, count);
      count = 0;
    }
  }
  if (count > 0) walk.take(walk, count);
}

}  // namespace snug::lanes::SNUG_LANES
