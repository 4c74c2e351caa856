#pragma once

#include "query/ray/ray_walk.hpp"

// A line through the tree, against the eight boxes of a node and the eight triangles of a block at a time.

namespace snug::detail::SNUG_LANES {

namespace rays {

/// A child that the line meets, and where.
struct Entry {
  float near, far;
  std::uint32_t index;  ///< of a node, or of a block with the highest bit set
};
inline constexpr std::uint32_t k_block = std::uint32_t{1} << 31;

inline Float8 dot(const Float8& x, const Float8& y, const Float8& z, const Float8 d[3]) noexcept {
  return (x * d[0] + y * d[1]) + z * d[2];
}

class Walk {
 public:
  explicit Walk(RayWalk& walk) noexcept : walk_(walk) {
    for (int i = 0; i < 3; ++i) {
      const bool forward = walk.inverse[i] >= 0;
      // Boxes are enlarged by the margin: what leads in is moved towards the origin, what leads out away from it.
      near_from_[i] = Float8(forward ? walk.origin[i] + walk.margin : walk.origin[i] - walk.margin);
      far_from_[i] = Float8(forward ? walk.origin[i] - walk.margin : walk.origin[i] + walk.margin);
      inverse_[i] = Float8(walk.inverse[i]);
      direction_[i] = Float8(walk.direction[i]);
      // Sides lie one after the other: three of lo, three of hi.
      in_[i] = k_lanes * static_cast<std::uint32_t>(forward ? i : 3 + i);
      out_[i] = k_lanes * static_cast<std::uint32_t>(forward ? 3 + i : i);
      squared_ += walk.direction[i] * walk.direction[i];
    }
  }

  void run() {
    Entry at{walk_.from, walk_.to, 0};
    while (true) {
      if ((at.index & k_block) != 0) {
        block(walk_.blocks[at.index & ~k_block], at.near);
      } else if (open(walk_.nodes[at.index], at)) {
        continue;
      }
      do {
        if (size_ == 0) return;
        at = stack_[--size_];
      } while (at.near > walk_.to || at.far < walk_.from);
    }
  }

 private:
  /// Goes on to the child that the line meets nearest to the origin; others go on the stack, the nearest of them on top. False
  /// if it meets none. Mostly it is one or two, so those come without loops.
  bool open(const RayNode& node, Entry& next) noexcept {
    ++walk_.box_tests;
    Float8 near(walk_.from), far(walk_.to);
    const auto* const sides = reinterpret_cast<const float*>(&node);
    for (int i = 0; i < 3; ++i) {
      near = max((Float8::load(sides + in_[i]) - near_from_[i]) * inverse_[i], near);
      far = min((Float8::load(sides + out_[i]) - far_from_[i]) * inverse_[i], far);
    }
    unsigned met = ~greater(near, far) & ((1U << node.count) - 1U);
    if (met == 0) return false;
    alignas(32) float nears[8], fars[8];
    near.store(nears);
    far.store(fars);
    const auto take_lane = [&]() noexcept -> Entry {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(met));
      met &= met - 1;
      const bool is_node = lane < node.inner;
      const std::uint32_t inner = node.first_node + lane, leaf = node.first_block + (lane - node.inner);
      const char* const from = is_node ? reinterpret_cast<const char*>(walk_.nodes + inner)
                                       : reinterpret_cast<const char*>(walk_.blocks + leaf);
      for (int line = 0; line < 4; ++line) __builtin_prefetch(from + 64 * line);
      return {nears[lane], fars[lane], is_node ? inner : k_block | leaf};
    };
    next = take_lane();
    if (met == 0) return true;
    const Entry second = take_lane();
    const bool swap = distance(second) < distance(next);
    stack_[size_] = swap ? next : second;
    next = swap ? second : next;
    const std::uint32_t bottom = size_++;
    while (met != 0) {
      Entry child = take_lane();
      if (distance(child) < distance(next)) {
        const Entry former = next;
        next = child, child = former;
      }
      std::uint32_t at = size_++;
      for (; at > bottom && distance(stack_[at - 1]) < distance(child); --at) stack_[at] = stack_[at - 1];
      stack_[at] = child;
    }
    return true;
  }

  static float distance(const Entry& entry) noexcept { return entry.near > -entry.far ? entry.near : -entry.far; }

  /// Hands over the triangles that the line may pass through. Seen from where it enters the block's box and in steps of the
  /// block, so that numbers are small whatever lies between.
  void block(const TriangleBlock& block, float entry) {
    ++walk_.triangle_tests;
    const float per_step = 1.0F / block.step;
    const float off = walk_.margin * per_step;
    const float error = 1.0F + 1.75F * off;            // 0.868 of the corners' own, and the roundings of what follows
    const float reach = 1.75F * (65540.0F + 2 * off);  // no corner is further from there
    // Sides of the line are products of two such lengths and the direction's, which is at most 1.74.
    const Float8 doubt(1.74F * reach * (2.2F * error + 0x1p-20F * reach));
    Float8 p[3][3];
    for (int i = 0; i < 3; ++i) {
      const Float8 at(((walk_.origin[i] - block.origin[i]) + entry * walk_.direction[i]) * per_step);
      for (int k = 0; k < 3; ++k) p[k][i] = Float8::load(block.corner[k][i]) - at;
    }
    Float8 least, most;
    for (int k = 0; k < 3; ++k) {
      const Float8 *u = p[k], *v = p[(k + 1) % 3];
      const Float8 side =
          dot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0], direction_);
      least = k == 0 ? side : min(least, side);
      most = k == 0 ? side : max(most, side);
    }
    unsigned lanes = ~(greater(Float8(0.0F) - doubt, least) & greater(most, doubt)) & ((1U << block.count) - 1U);
    if (lanes == 0) return;
    // Along the line, its corners tell where a triangle can be met.
    Float8 first, last;
    for (int k = 0; k < 3; ++k) {
      const Float8 along = dot(p[k][0], p[k][1], p[k][2], direction_);
      first = k == 0 ? along : min(first, along);
      last = k == 0 ? along : max(last, along);
    }
    alignas(32) float firsts[8], lasts[8];
    first.store(firsts);
    last.store(lasts);
    const float slack = 8 * error + 0x1p-19F * reach;
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(lanes));
      const float scale = squared_ * per_step;
      if (firsts[lane] > (walk_.to - entry) * scale + slack || lasts[lane] < (walk_.from - entry) * scale - slack)
        continue;
      walk_.take(walk_, block.id[lane]);
    }
  }

  RayWalk& walk_;
  Float8 near_from_[3], far_from_[3], inverse_[3], direction_[3];
  std::uint32_t in_[3], out_[3];
  std::uint32_t size_ = 0;
  float squared_ = 0;
  // Each node opened leaves at most seven more than it took. Splits go 48 deep by choice and then halve 32-bit numbers.
  Entry stack_[8 * 88];
};

}  // namespace rays

inline void walk_ray(RayWalk& walk) { rays::Walk(walk).run(); }

}  // namespace snug::detail::SNUG_LANES
